import { execFile, spawn } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../../../workers/local/stack/ports.ts";
import { requirePackage } from "../../support/debian.ts";
import { ffmpeg } from "../../support/ffmpeg.ts";
import { isFull } from "../../support/repeats.ts";
import { sweepWithBursts, wavFile } from "../../support/sources/pcm.ts";
import { until } from "../npm-start.ts";
import { cloneProject } from "./server.support.ts";

const run = promisify(execFile);

const MIRROR = process.env.DEBIAN_MIRROR ?? "http://deb.debian.org/debian";
/** A newcomer's packages: Debian 13 has Node 20.19 and npm 9.2. ffmpeg comes by itself. */
const PACKAGES = "nodejs npm git ca-certificates";
/** Milliseconds. Debian's packages and ours come over the network. */
const INSTALL_MS = 1_800_000;
const RATE = 44_100;
const SECONDS = 3;

/** This machine's own settings for reaching registries. */
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const APT_SETTINGS = "/etc/apt/apt.conf.d";

describe.runIf(isFull)("Debian 13 with its own packages alone (npm test -- --full)", () => {
  const root = mkdtempSync(join(tmpdir(), "soundpost-debian-"));
  // Its root directory, which every account enters.
  chmodSync(root, 0o755);
  /** Mounts and processes end with the command. */
  const APART = ["--mount", "--pid", "--fork", "--kill-child"];

  beforeAll(async () => {
    await requirePackage("debootstrap", {
      purpose: "a Debian 13 of its own",
      isInstalled: async () => existsSync("/usr/sbin/debootstrap"),
    });
    const apart = (...command: string[]) => run("unshare", [...APART, ...command], { maxBuffer: 2 ** 26 });
    await apart("debootstrap", "--variant=minbase", "trixie", root, MIRROR);
    if (existsSync(APT_SETTINGS)) cpSync(APT_SETTINGS, join(root, APT_SETTINGS), { recursive: true });
    const install = `apt-get -qq update && apt-get -qq install -y --no-install-recommends ${PACKAGES}`;
    await apart(
      "chroot",
      root,
      "sh",
      "-c",
      `DEBIAN_FRONTEND=noninteractive; export DEBIAN_FRONTEND; ${install}`,
    );
    for (const path of [CERTIFICATES, "/etc/resolv.conf"])
      if (existsSync(path)) copyFileSync(path, join(root, path));
    await cloneProject(join(root, "root/soundpost"));
    writeFileSync(join(root, "root/song.wav"), wavFile(sweepWithBursts(SECONDS * RATE, RATE), RATE));
  }, INSTALL_MS);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("npm start goes from a clone to a playing track", { timeout: INSTALL_MS }, async () => {
    const start = `mount -t proc proc ${root}/proc && mount --rbind /dev ${root}/dev &&
      exec chroot ${root} sh -c 'cd /root/soundpost && exec npm start -- /root/song.wav'`;
    const env = {
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      NODE_EXTRA_CA_CERTS: CERTIFICATES,
      DATA_DIR: "/root/data",
      PORT: String(await freePorts(3)),
    };
    const child = spawn("unshare", [...APART, "sh", "-c", start], { env });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
    const ended = new Promise((resolve) => child.once("close", resolve));
    try {
      const mp3 = await Promise.race([
        until("the track plays", () => / mp3 +(http\S+)/.exec(said)?.[1], INSTALL_MS),
        ended.then(() => Promise.reject(new Error(said))),
      ]);
      const decoded = await run(
        ffmpeg.path,
        [
          "-v",
          "error",
          "-nostdin",
          "-i",
          mp3.replace("//localhost:", "//127.0.0.1:"),
          "-f",
          "s16le",
          "-ac",
          "1",
          "-",
        ],
        { encoding: "buffer", maxBuffer: 2 ** 24 },
      );
      expect(decoded.stdout.length / 2).toBeGreaterThanOrEqual(SECONDS * RATE);
    } finally {
      // `unshare` passes no other signal on.
      child.kill("SIGKILL");
      await ended;
    }
  });
});
