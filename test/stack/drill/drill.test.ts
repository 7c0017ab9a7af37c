import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../../../workers/local/stack/ports.ts";
import { isFull } from "../../support/repeats.ts";
import { startSmtpServer } from "../../support/smtp-server.ts";
import { makeSources } from "../../support/sources.ts";
import { until } from "../npm-start.ts";
import { cloneProject, type OwnServer, openServer, requirePrograms } from "./server.support.ts";

const run = promisify(execFile);

const PASSWORD = "correct horse battery";
const EMAIL = "ana@sound.test";
const ENCODES = 4;
const LISTENERS = 7;
/** The clone installs its packages, which took six minutes at a load of 16. */
const INSTALL_MS = 1_800_000;
/** A second try would find a server in the middle of the first. */
const ONCE = { timeout: 900_000, retry: 0 };
/** Seconds. Long enough that encodes are under way when everything ends. */
const LONG_S = 400;

describe.runIf(isFull)("a machine with only Debian and Node (npm test -- --full)", () => {
  const root = mkdtempSync(join(tmpdir(), "soundpost-drill-"));
  // Postgres runs as another user for root and must be able to enter.
  chmodSync(root, 0o711);
  const dataDir = join(root, "data");
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
  let server: OwnServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let song: { id: number; permalink_url: string };
  let accepted: number[];

  beforeAll(async () => {
    requirePrograms("caddy", "chromium", "mpv", "ffmpeg", "git");
    smtp = await startSmtpServer();
    const [port, https] = [await freePorts(3), await freePorts(2)];
    mkdirSync(dataDir);
    const settings = {
      API_URL: `https://localhost:${https}`,
      OBJECTS_URL: `https://localhost:${https + 1}`,
      PORT: port,
      SMTP_URL: smtp.url.href.replace(/\/$/, ""),
      APPS_NEED_PLAN: "off",
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(dataDir, "settings.env"), lines.join(""), { mode: 0o600 });
    const clone = join(root, "clone");
    await cloneProject(clone);
    server = await openServer({ clone, dataDir, port, https: [https, https + 1] });
    await server.start();
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
  }, INSTALL_MS);
  afterAll(async () => {
    await browser?.close();
    await server?.kill();
    await smtp?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /** Calls the API as the person who is signed in in Chromium. */
  async function api<Reply>(method: string, path: string, sent?: object): Promise<Reply> {
    const { access_token } = await page.evaluate<{ access_token: string }>(
      "fetch('/session/token').then((reply) => reply.json())",
    );
    const reply = await server.ask(path, {
      method,
      headers: { Authorization: `OAuth ${access_token}`, "Content-Type": "application/json" },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`);
    return JSON.parse(reply.body) as Reply;
  }

  const lastMail = () => smtp.to(EMAIL).at(-1)?.text.replaceAll("=\r\n", "").replaceAll("=3D", "=") ?? "";

  test("everything that check looks at is right, certificates included", async () => {
    const { stdout } = await server.admin("check");
    expect(stdout).not.toMatch(/^wrong/m);
    expect(stdout).toContain(`${server.site} answers; its certificate is good until`);
    expect(stdout).toMatch(/^ok +mail +127\.0\.0\.1:\d+ listens$/m);
  });

  test("a newcomer signs up by an invitation, confirms by a mail that came by SMTP, and uploads in Chromium", async () => {
    // Nobody else comes in: the operator has named no other rule.
    await page.goto(`${server.site}/signup`);
    await page.getByText("is by invitation").waitFor();
    const { stdout } = await server.admin("invitation", "create", "--json");
    await page.goto(`${JSON.parse(stdout).link}&next=/upload`);
    await page.getByLabel("Username").fill("ana");
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(/\/upload$/);
    await expect.poll(lastMail).toContain(`${server.site}/confirm`);
    await page.goto(/https:\S+/.exec(lastMail())?.[0] ?? "");
    await page.getByRole("main").getByRole("button").first().click();
    await page.getByRole("heading", { name: "Your address is confirmed" }).waitFor();
    await page.goto(`${server.site}/upload`);
    const { flac } = await makeSources();
    await page.locator("#upload-files").setInputFiles(flac.path);
    await page.getByText("Ready", { exact: true }).waitFor();
    const [{ id }] = await api<[typeof song]>("GET", "/me/tracks");
    // Until its first publication the address follows the title.
    song = await api("PUT", `/tracks/${id}`, { track: { sharing: "public", title: "First" } });
  });

  test("ffmpeg and mpv play it over verified TLS", async () => {
    const streams = await api<{ hls_aac_160_url: string }>("GET", `/tracks/${song.id}/streams`);
    const tls = ["-v", "error", "-ca_file", server.ca, "-tls_verify", "1"];
    await run("ffmpeg", [...tls, "-i", streams.hls_aac_160_url, "-f", "null", "-"]);
    const mpv = ["--no-config", "--no-video", "--ao=null", "--untimed", "--really-quiet", "--tls-verify=yes"];
    await run("mpv", [...mpv, `--tls-ca-file=${server.ca}`, `${song.permalink_url}/audio.mp3`]);
    await expect.poll(plays).toBeGreaterThan(0);
  });

  const plays = async () =>
    (await api<{ playback_count: number }>("GET", `/tracks/${song.id}`)).playback_count;

  /** Sends a file by the API, its parts to the storage's own address. */
  async function upload(path: string, title: string): Promise<number> {
    const { size } = statSync(path);
    type Session = { id: number; part_count: number; part_size: number };
    const file = { filename: "long.flac", type: "audio/flac", size };
    const session = await api<Session>("POST", "/uploads", file);
    const numbers = Array.from({ length: session.part_count }, (_, n) => n + 1);
    const { urls } = await api<{ urls: Record<string, string> }>("POST", `/uploads/${session.id}/parts`, {
      numbers,
    });
    const parts: { number: number; etag: string | undefined }[] = [];
    for (const number of numbers) {
      expect(urls[number]).toContain(`${server.objects}/`);
      const slice = `if=${path} bs=${session.part_size} skip=${number - 1} count=1`.split(" ");
      const { stdout } = await run("dd", [...slice, "status=none"], {
        encoding: "buffer",
        maxBuffer: 2 ** 28,
      });
      const put = await server.ask(urls[number] ?? "", {
        method: "PUT",
        headers: { "Content-Length": stdout.length },
        body: stdout,
      });
      expect(put.status).toBe(200);
      parts.push({ number, etag: put.headers.etag });
    }
    await api("POST", `/uploads/${session.id}/complete`, { parts });
    const track = { upload_id: session.id, title, sharing: "public" };
    return (await api<{ id: number }>("POST", "/tracks", { track })).id;
  }

  const states = async () =>
    Promise.all(accepted.map(async (id) => (await api<{ state: string }>("GET", `/tracks/${id}`)).state));

  test(
    "killed with encodes, mails, plays and webhooks under way, it comes back with all of them (F61)",
    ONCE,
    async () => {
      const long = join(root, "long.flac");
      const noise = ["-f", "lavfi", "-i", `anoisesrc=d=${LONG_S}:c=pink:r=44100`, "-ac", "2"];
      await run("ffmpeg", ["-v", "error", ...noise, long]);
      accepted = [];
      for (let n = 0; n < ENCODES; n++) accepted.push(await upload(long, `Long ${n}`));
      const hook = { url: "https://hooks.sound.test/in", events: ["comment.created", "track.finished"] };
      const webhook = await api<{ id: number }>("POST", "/me/webhooks", hook);
      const heardBefore = await plays();
      // The mail server is away, so this mail waits.
      await smtp.stop();
      const mailsBefore = smtp.to(EMAIL).length;
      await page.goto(`${server.site}/settings`);
      const other = await browser.newContext({ ignoreHTTPSErrors: true });
      const forgetful = await other.newPage();
      await forgetful.goto(`${server.site}/forgot`);
      await forgetful.getByRole("main").getByRole("textbox").first().fill(EMAIL);
      await forgetful.getByRole("main").getByRole("button").first().click();
      await forgetful.waitForURL(/\/forgot\/sent/);
      await other.close();
      expect(await states()).toEqual(Array(ENCODES).fill("processing"));
      const listeners = Array.from({ length: LISTENERS }, (_, n) => `127.0.0.${n + 10}`);
      const heard = await Promise.all(
        listeners.map((from) => server.ask(`${song.permalink_url}/audio.mp3`, { from })),
      );
      expect(heard.map(({ status }) => status)).toEqual(Array(LISTENERS).fill(200));
      // The Worker hands a play over after the reply.
      await sleep(50);
      expect(await server.kill()).toBeGreaterThan(5);

      const beganMs = Date.now();
      await server.start();
      console.log(`Started after the kill in ${((Date.now() - beganMs) / 1000).toFixed(1)} s`);
      await page.goto(`${server.site}/you/tracks`);
      await page.getByRole("link", { name: "First", exact: true }).first().waitFor();
      await expect.poll(plays).toBe(heardBefore + LISTENERS);
      await smtp.start();
      await until("all encodes ended", async () => !(await states()).includes("processing"), 300_000);
      expect(await states()).toEqual(Array(ENCODES).fill("finished"));
      await until("the mail came", () => smtp.to(EMAIL).length > mailsBefore, 120_000);
      expect(lastMail()).toContain("/reset");
      await page.goto(/https:\S+/.exec(lastMail())?.[0] ?? "");
      await page.getByLabel("New password").waitFor();
      const deliveries = async () =>
        api<{ state: string; attempts: { failure: string }[] }[]>(
          "GET",
          `/me/webhooks/${webhook.id}/deliveries`,
        );
      await until(
        "each encode was told once, to a host that no name leads to",
        async () =>
          (await deliveries()).length === ENCODES &&
          (await deliveries()).every(({ attempts }) => attempts[0]?.failure === "unresolved"),
        60_000,
      );
      expect(smtp.to(EMAIL)).toHaveLength(mailsBefore + 1);
      expect(await plays()).toBe(heardBefore + LISTENERS);
    },
  );
});
