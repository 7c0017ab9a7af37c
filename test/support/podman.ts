import { execFile, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { isFull } from "./repeats.ts";
import { PROJECT_DIR } from "./structure.ts";

/** Debian 13 from its packages: the digest that our images name needs a registry. podman keeps it. */
const BASE = "localhost/soundpost-debian:trixie";

/** Debian's own image has these, too. Without them no fix would ever be missing. */
const FIXES = `deb http://deb.debian.org/debian trixie-updates main
deb http://deb.debian.org/debian-security trixie-security main
`;

const TOOLS = ["podman", "podman-compose", "runc", "debootstrap", "iptables"];
const INSTALL = `apt-get update && apt-get install -y --no-install-recommends netavark aardvark-dns ${TOOLS.join(" ")}`;

/** Marks images of tests. Those of a run that was killed go once no other run can still use them. */
const LABEL = "soundpost-test";
const LEFT_OVER = ["--filter", `label=${LABEL}`, "--filter", "until=3h"];

/** Milliseconds. The longest build takes a minute and a half on two idle cores, and many on busy ones. */
export const BUILD_PATIENCE_MS = 30 * 60_000;

/** A container's default limits may exceed what this machine allows. */
export const LIMITS = ["--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096"];

/** Words before podman's own. */
export const RUNTIME = ["--runtime", "runc"];

declare module "vitest" {
  interface ProvidedContext {
    hasContainers: boolean;
  }
}

/** Decides once whether this machine builds and runs images. If not, a full run fails, and others say what they leave out. */
export default async function setUp(project: TestProject): Promise<void> {
  const refusal = await refusalOfContainers();
  if (refusal && isFull) throw new Error(refusal);
  if (refusal)
    console.error(`Images are left out: ${refusal}\nOnce that is mended: npm test -- --project images`);
  project.provide("hasContainers", refusal === undefined);
}

/** Nothing of ours takes part, so whatever fails later is a defect. */
async function refusalOfContainers(): Promise<string | undefined> {
  try {
    requireTools();
    if (spawnSync("podman", ["image", "exists", BASE]).status !== 0) importBase();
    podman("image", "prune", "--all", "--force", ...LEFT_OVER);
    await tryContainer();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Installs what it needs as root with apt, as in CI. Otherwise fails with the command. */
function requireTools(): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && has("apt-get") && !TOOLS.every(has)) run("sh", ["-c", INSTALL]);
  if (!isRoot || !TOOLS.every(has))
    throw new Error(
      `They are tested as root with ${TOOLS.join(", ")}. To install these: sudo sh -c '${INSTALL}'`,
    );
}

function importBase(): void {
  const folder = mkdtempSync(join(existsSync("/var/tmp") ? "/var/tmp" : tmpdir(), "soundpost-base-"));
  try {
    run("debootstrap", ["--variant=minbase", "trixie", folder]);
    appendFileSync(join(folder, "etc/apt/sources.list"), FIXES);
    run("sh", ["-c", `chroot ${folder} apt-get clean && tar -C ${folder} -c . | podman import - ${BASE}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reaches Debian's packages while it is built, and has a network and a port while it runs. */
async function tryContainer(): Promise<void> {
  const image = await build(["--quiet", "-"], `FROM ${BASE}\nRUN apt-get update --error-on=any\n`);
  try {
    podman("run", "--rm", "--publish", "127.0.0.1::8787", ...LIMITS, image, "true");
  } finally {
    podman("rmi", image);
  }
}

/** Builds one of our images and returns its name. No layer is kept, so that each build is whole and leaves nothing behind. */
export async function buildImage(name: string, file: string, context: string): Promise<string> {
  const image = `localhost/${name}-test:${process.pid}`;
  const values = [`BASE=${BASE}`, `FIXES_OF=${new Date().toISOString().slice(0, 10)}`];
  const args = values.flatMap((value) => ["--build-arg", value]);
  const words = [...args, "--tag", image, "--file", join(PROJECT_DIR, file), join(PROJECT_DIR, context)];
  // A mirror may fail once. A defect fails twice.
  await build(words).catch(() => build(words));
  return image;
}

/** Nice to the tests beside it. It waits without blocking, because vitest gives up a worker that does not answer. */
async function build(words: string[], input = ""): Promise<string> {
  const whole = ["build", "--isolation=chroot", "--layers=false", "--label", LABEL, ...LIMITS];
  const args = ["-n", "5", "podman", ...RUNTIME, ...whole, ...words];
  const building = promisify(execFile)("nice", args, { maxBuffer: 2 ** 26 });
  building.child.stdin?.end(input);
  const { stdout } = await building.catch(({ message, stderr }) => {
    throw new Error(`${message.slice(0, 300)}\n${stderr.slice(-3000)}`);
  });
  return stdout.trim();
}

export const podman = (...args: string[]): string => run("podman", [...RUNTIME, ...args]);

const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Returns its output. Throws with the program's own words. */
export function run(
  program: string,
  args: string[],
  more: { env?: object; input?: string | undefined } = {},
): string {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", ...more.env };
  const options = { env, input: more.input, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status !== 0)
    throw new Error(
      `${program} ${args.join(" ")} ended with ${status}:\n${error?.message ?? (stderr || stdout).slice(-3000)}`,
    );
  return stdout.trim();
}
