import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { readSettings } from "../../workers/local/stack/settings.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { fillDataDir } from "../support/data-dir.ts";

const dataDir = mkdtempSync(join(tmpdir(), "soundpost-server-"));
let port: number;
let stack: Stack;
let token: string;

/** An operator writes these for a proxy that ends TLS on the same machine. */
const SETTINGS = `API_URL=https://api.sound.test
AUTH_URL=https://accounts.sound.test
WEB_URL=https://sound.test
OBJECTS_URL=https://objects.sound.test
SITE_NAME="Radio Ana"
`;

beforeAll(async () => {
  port = await freePorts(3);
  await fillDataDir(dataDir);
  writeFileSync(join(dataDir, "settings.env"), `PORT=${port}\n${SETTINGS}`);
  const settings = readSettings({ DATA_DIR: dataDir });
  stack = await startStack({ ...settings, log: () => {}, crons: false });
  const run = async (command: string, ...args: string[]) =>
    (await commands[command]?.(stackTarget(stack), readArguments(args))) as Record<string, string>;
  const who = ["--username", "ana", "--email", "ana@sound.test", "--password", "correct horse battery"];
  await run("user create", ...who, "--plan", "artist", "--confirmed");
  const redirect = ["--redirect-uri", "http://127.0.0.1/cb"];
  const app = await run("app create", "--owner", "ana", "--name", "A", ...redirect);
  token = (await run("token create", "--app", app.client_id ?? "", "--user", "ana")).access_token ?? "";
});
afterAll(async () => {
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer; from?: string };

/** Asks like a proxy on this machine. */
async function through(url: string, { method = "GET", headers, body, from = "203.0.113.9" }: Sent = {}) {
  const { host, pathname, search } = new URL(url);
  const sending = request({
    ...{ host: "127.0.0.1", port: host.startsWith("objects.") ? port + 2 : port, method },
    path: pathname + search,
    headers: { Host: host, "X-Forwarded-For": from, "X-Forwarded-Proto": "https", ...headers },
  });
  sending.end(body);
  const [reply] = (await once(sending, "response")) as [IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
}

const api = async (method: string, path: string, body?: object) => {
  const headers = { Authorization: `OAuth ${token}`, "Content-Type": "application/json" };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const reply = await through(`https://api.sound.test${path}`, sent);
  return { ...reply, json: JSON.parse(reply.body || "null") };
};

test("issuer, links and cookies are those of the addresses that the operator named", async () => {
  const metadata = await through("https://accounts.sound.test/.well-known/oauth-authorization-server");
  expect(JSON.parse(metadata.body)).toMatchObject({
    issuer: "https://accounts.sound.test",
    token_endpoint: "https://accounts.sound.test/oauth/token",
  });
  const me = await api("GET", "/me");
  expect(me.json).toMatchObject({ username: "ana", permalink_url: "https://sound.test/ana" });
  expect(me.headers["strict-transport-security"]).toContain("max-age=");
  const signIn = await through("https://accounts.sound.test/signin", { headers: { Accept: "text/html" } });
  expect(String(signIn.headers["set-cookie"])).toMatch(/__Host-form=.*Secure/);
  const front = await through("https://sound.test/", { headers: { Accept: "text/html" } });
  expect(front.body).toContain("Radio Ana");
});

test("each host serves its own part", async () => {
  expect((await through("https://sound.test/me")).status).toBe(404);
  expect((await through("https://api.sound.test/signin")).status).toBe(404);
  const elsewhere = { Origin: "https://elsewhere.test" };
  const open = await through("https://api.sound.test/tracks", { headers: elsewhere });
  expect(open.headers["access-control-allow-origin"]).toBe("*");
  const closed = await through("https://accounts.sound.test/signin", { headers: elsewhere });
  expect(closed.headers["access-control-allow-origin"]).toBeUndefined();
});

test("files go to the storage's own address", async () => {
  const bytes = Buffer.from("not a song");
  const file = { filename: "a.mp3", type: "audio/mpeg", size: bytes.length };
  const { json: session } = await api("POST", "/uploads", file);
  const { json: signed } = await api("POST", `/uploads/${session.id}/parts`, { numbers: [1] });
  const url = String(signed.urls[1]);
  expect(url).toMatch(/^https:\/\/objects\.sound\.test\//);
  const put = await through(url, { method: "PUT", body: bytes, headers: { Origin: "https://sound.test" } });
  expect([put.status, put.headers["access-control-expose-headers"]]).toEqual([200, "ETag"]);
  const completed = await api("POST", `/uploads/${session.id}/complete`, {
    parts: [{ number: 1, etag: put.headers.etag }],
  });
  expect(completed.status).toBe(200);
});

test("what serves developers is closed", async () => {
  for (const path of ["/dev/mail", "/dev/mail.json", "/dev/social/posts.json"]) {
    expect((await fetch(`http://localhost:${port}${path}`)).status).toBe(404);
    expect((await through(`https://sound.test${path}`)).status).toBe(404);
  }
  const inside = { url: "http://127.0.0.1:9/hook", events: ["like.created"] };
  expect((await api("POST", "/me/webhooks", inside)).status).toBe(422);
  const older = await through("https://api.sound.test/oauth2/token", { method: "POST" });
  expect(older.status).toBe(410);
});
