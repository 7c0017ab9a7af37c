import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../../../workers/local/stack/ports.ts";
import { findChromium } from "../../support/chromium.ts";
import { requirePackage } from "../../support/debian.ts";
import { ffmpeg } from "../../support/ffmpeg.ts";
import { isFull } from "../../support/repeats.ts";
import { sweepWithBursts, wavFile } from "../../support/sources/pcm.ts";
import { until } from "../npm-start.ts";
import { openRoom, type Room } from "./room.support.ts";
import { cloneProject, openServer } from "./server.support.ts";

const run = promisify(execFile);

const MIRROR = process.env.DEBIAN_MIRROR ?? "http://deb.debian.org/debian";
/** An operator's packages: Debian 13 has Node 20.19, npm 9.2 and PostgreSQL 17. ffmpeg comes by itself. */
const PACKAGES = "nodejs npm git ca-certificates postgresql caddy";
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
  const CLONE = "/root/soundpost";
  const song = join(root, "root/song.wav");
  let room: Room | undefined;

  beforeAll(async () => {
    await requirePackage("debootstrap", {
      purpose: "a Debian 13 of its own",
      isInstalled: async () => existsSync("/usr/sbin/debootstrap"),
    });
    const apart = (...command: string[]) =>
      run("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...command], { maxBuffer: 2 ** 26 });
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
    await cloneProject(join(root, CLONE));
    writeFileSync(song, wavFile(sweepWithBursts(SECONDS * RATE, RATE), RATE));
  }, INSTALL_MS);
  afterEach(() => room?.leave());
  afterAll(() => rmSync(root, { recursive: true, force: true }), INSTALL_MS);

  async function expectWhole(url: string, ...options: string[]): Promise<void> {
    const raw = ["-f", "s16le", "-ac", "1", "-ar", String(RATE), "-"];
    const { stdout } = await run(ffmpeg.path, ["-v", "error", "-nostdin", ...options, "-i", url, ...raw], {
      encoding: "buffer",
      maxBuffer: 2 ** 24,
    });
    expect(stdout.length / 2).toBeGreaterThanOrEqual(SECONDS * RATE);
  }

  const clusterOf = (dataDir: string) => readFileSync(join(root, dataDir, "postgres/PG_VERSION"), "utf8");

  test("npm start goes from a clone to a playing track, on PostgreSQL 17 of Debian", {
    timeout: INSTALL_MS,
  }, async () => {
    const env = {
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      NODE_EXTRA_CA_CERTS: CERTIFICATES,
      DATA_DIR: "/srv/data",
      POSTGRES_BIN: "/usr/lib/postgresql/17/bin",
      PORT: String(await freePorts(3)),
    };
    room = await openRoom(root);
    const [program = "", ...words] = room.enter;
    const child = spawn(program, [...words, "env", "-C", CLONE, "npm", "start", "--", "/root/song.wav"], {
      env,
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
    const ended = new Promise((resolve) => child.once("close", resolve));
    const mp3 = await Promise.race([
      until("the track plays", () => / mp3 +(http\S+)/.exec(said)?.[1], INSTALL_MS),
      ended.then(() => Promise.reject(new Error(said))),
    ]);
    await expectWhole(mp3.replace("//localhost:", "//127.0.0.1:"));
    expect(clusterOf("srv/data")).toBe("17\n");
  });

  test("its unit and Caddy serve https, where an invitation leads to a playing track", {
    timeout: INSTALL_MS,
  }, async () => {
    const [port, https] = [await freePorts(3), await freePorts(2)];
    const dataDir = "/srv/public/data";
    mkdirSync(join(root, dataDir), { recursive: true });
    const settings = {
      API_URL: `https://localhost:${https}`,
      OBJECTS_URL: `https://localhost:${https + 1}`,
      REGISTRATION: "invite",
      PORT: port,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(root, dataDir, "settings.env"), lines.join(""), { mode: 0o600 });
    room = await openRoom(root);
    const server = await openServer({ clone: CLONE, dataDir, port, https: [https, https + 1], room });
    await server.start();
    const { stdout } = await server.admin("check");
    expect(stdout).toMatch(/^ok +versions +PostgreSQL 17\./m);
    expect(stdout).toContain(`${server.site} answers; its certificate is good until`);
    // Debian's own, 20.19, runs no TypeScript.
    expect((await server.admin("service", "--unit")).stdout).toContain(
      `ExecStart="${CLONE}/node_modules/node/`,
    );
    const invitation = await server.admin("invitation", "create", "--json");
    const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true });
      await page.goto(`${JSON.parse(invitation.stdout).link}&next=/upload`);
      await page.getByLabel("Username").fill("ana");
      await page.getByLabel("E-mail address").fill("ana@sound.test");
      await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.waitForURL(/\/upload$/);
      await page.locator("#upload-files").setInputFiles(song);
      await page.getByText("Ready", { exact: true }).waitFor({ timeout: 120_000 });
      const { hls_aac_160_url } = await page.evaluate<{ hls_aac_160_url: string }>(STREAMS);
      await expectWhole(hls_aac_160_url, "-ca_file", server.ca, "-tls_verify", "1");
    } finally {
      await browser.close();
    }
    expect(clusterOf(dataDir)).toBe("17\n");
  });
});

/** Finds the streams of the first track of the person who is signed in. */
const STREAMS = `(async () => {
  const { access_token } = await (await fetch("/session/token")).json();
  const ask = async (path) => (await fetch(path, { headers: { Authorization: "OAuth " + access_token } })).json();
  const [{ id }] = await ask("/me/tracks");
  return ask("/tracks/" + id + "/streams");
})()`;
