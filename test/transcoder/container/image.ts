import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_DIR } from "../../support/structure.ts";

const FOLDER = join(PROJECT_DIR, "workers/transcoder");
/** podman keeps both, so only the first run takes minutes. */
const BASE = "localhost/soundpost-debian:13";
export const IMAGE = "localhost/soundpost-transcoder";

const TOOLS = ["podman", "runc", "debootstrap"];
const INSTALL = `apt-get update && apt-get install -y --no-install-recommends ${TOOLS.join(" ")}`;

/** A container's default limits may exceed what this machine allows. */
const RUNTIME = ["--runtime", "runc"];
export const LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];

/** Returns its output. Throws with the program's own words. */
function run(program: string, args: string[]): string {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0)
    throw new Error(`${program} ${args.join(" ")} ended with ${status}:\n${stderr.slice(-3000)}`);
  return stdout.trim();
}

export const podman = (...args: string[]): string => run("podman", [...RUNTIME, ...args]);

const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Installs what it needs as root with apt, as in CI. Otherwise fails with the command. */
function requireTools(): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && has("apt-get") && !TOOLS.every(has)) run("sh", ["-c", INSTALL]);
  if (!isRoot || !TOOLS.every(has))
    throw new Error(
      `The image is tested as root with ${TOOLS.join(", ")}. Install them:\n  sudo sh -c '${INSTALL}'`,
    );
}

/** Builds the image that is deployed, on a Debian 13 from its packages: the digest's needs a registry of images. */
export function buildImage(): void {
  requireTools();
  if (!isBuilt(BASE)) importBase();
  run("sh", [join(FOLDER, "image/install.sh")]);
  const build = ["build", "--isolation=chroot", "--layers", ...LIMITS, "--build-arg", `BASE=${BASE}`];
  podman(...build, "--tag", IMAGE, FOLDER);
}

const isBuilt = (image: string) => spawnSync("podman", ["image", "exists", image]).status === 0;

function importBase(): void {
  const folder = mkdtempSync(join(existsSync("/var/tmp") ? "/var/tmp" : tmpdir(), "soundpost-base-"));
  try {
    run("debootstrap", ["--variant=minbase", "trixie", folder]);
    run("sh", ["-c", `chroot ${folder} apt-get clean && tar -C ${folder} -c . | podman import - ${BASE}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
