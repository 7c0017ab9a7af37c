import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import type { Finding } from "../../workers/admin/server/finding.ts";
import { type Said, serverCommands } from "../../workers/admin/server/server-commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { databaseFaults } from "../../workers/local/stack/own-database.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { readSettings } from "../../workers/local/stack/settings.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { BUCKETS } from "../../workers/local/worker/bindings.ts";
import { CREDENTIALS, type ObjectStore, startObjectStore } from "../local/object-store-process.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { startDatabase } from "./database.ts";

const dataDir = mkdtempSync(join(tmpdir(), "soundpost-server-"));
let port: number;
let database: Awaited<ReturnType<typeof startDatabase>>;
let storage: ObjectStore;
let stack: Stack;
let token: string;
/** The operator's collector, and the bodies that it took. */
let collector: Server;
const taken: string[] = [];

/** An operator writes these for a proxy that ends TLS on the same machine. */
const SETTINGS = `API_URL=https://api.sound.test
AUTH_URL=https://accounts.sound.test
WEB_URL=https://sound.test
OBJECTS_URL=https://objects.sound.test
SITE_NAME="Radio Ana"
S3_ACCESS_KEY_ID=${CREDENTIALS.accessKeyId}
S3_SECRET_ACCESS_KEY=${CREDENTIALS.secretAccessKey}
`;

/** Starts on a database and a storage of the operator's. */
async function start(settings: string): Promise<Stack> {
  writeFileSync(join(dataDir, "settings.env"), `PORT=${port}\n${SETTINGS}${settings}`);
  return startStack({ ...readSettings({ DATA_DIR: dataDir }), log: () => {}, crons: false });
}

beforeAll(async () => {
  port = await freePorts(3);
  await fillDataDir(dataDir);
  database = await startDatabase();
  collector = createServer(async (sent, reply) => {
    taken.push(`${sent.url} ${await text(sent)}`);
    reply.end("{}");
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  storage = await startObjectStore(undefined, { S3_BUCKETS: JSON.stringify(BUCKETS) });
  const { databaseUrl, appDatabaseUrl } = database;
  const addresses = `DATABASE_URL=${appDatabaseUrl}\nMIGRATOR_DATABASE_URL=${databaseUrl}\n`;
  const shipping = `OTLP_ENDPOINT=http://127.0.0.1:${(collector.address() as AddressInfo).port}\n`;
  stack = await start(`${addresses}S3_ENDPOINT=${storage.url}\n${shipping}`);
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
  collector?.close();
  await storage?.stop();
  await database?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer; from?: string };

const storagePort = () => Number(new URL(storage.url).port);

/** Asks like a proxy on this machine. */
async function through(url: string, { method = "GET", headers, body, from = "203.0.113.9" }: Sent = {}) {
  const { host, pathname, search } = new URL(url);
  const sending = request({
    host: "127.0.0.1",
    port: host.startsWith("objects.") ? storagePort() : port,
    method,
    path: pathname + search,
    headers: { Host: host, "X-Forwarded-For": from, "X-Forwarded-Proto": "https", ...headers },
  });
  sending.end(body);
  const [reply] = (await once(sending, "response")) as [IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, body: await text(reply) };
}

/** Runs a command as an operator on this DATA_DIR. */
async function command(line: string): Promise<Said> {
  vi.stubEnv("DATA_DIR", dataDir);
  const given = readArguments(line.split(" "));
  const run = serverCommands[given.command] ?? expect.fail(`No command ${line}`);
  return run(given).finally(() => vi.unstubAllEnvs());
}

const api = async (method: string, path: string, body?: object) => {
  const headers = { Authorization: `OAuth ${token}`, "Content-Type": "application/json" };
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const reply = await through(`https://api.sound.test${path}`, sent);
  return { ...reply, json: JSON.parse(reply.body || "null") };
};

test("log lines and a span for each request reach the operator's collector", async () => {
  const headers = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
  await through("https://api.sound.test/tracks?q=shipped", { headers });
  const ofTrace = (path: string) =>
    taken.some((sent) => sent.startsWith(`/v1/${path} `) && sent.includes(`"traceId":"${"a".repeat(32)}"`));
  await expect.poll(() => [ofTrace("logs"), ofTrace("traces")]).toEqual([true, true]);
  expect(taken.join()).not.toContain("shipped");
});

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
  expect([put.status, put.headers["access-control-expose-headers"]]).toEqual([
    200,
    expect.stringContaining("ETag"),
  ]);
  const completed = await api("POST", `/uploads/${session.id}/complete`, {
    parts: [{ number: 1, etag: put.headers.etag }],
  });
  expect(completed.status).toBe(200);
});

test("what serves developers is closed", async () => {
  for (const path of ["/dev/mail", "/dev/mail.json", "/dev/social/posts.json"]) {
    expect((await fetch(`http://localhost:${port}${path}`)).status).toBe(421);
    expect((await through(`https://sound.test${path}`)).status).toBe(404);
  }
  const inside = { url: "http://127.0.0.1:9/hook", events: ["like.created"] };
  expect((await api("POST", "/me/webhooks", inside)).status).toBe(422);
  const older = await through("https://api.sound.test/oauth2/token", { method: "POST" });
  expect(older.status).toBe(410);
});

test("rows and files are in the operator's database and storage alone", async () => {
  const owner = new pg.Client({ connectionString: database.databaseUrl });
  await owner.connect();
  const { rows } = await owner.query("SELECT username FROM users WHERE permalink = 'ana'");
  await owner.end();
  expect(rows).toEqual([{ username: "ana" }]);
  const { Contents } = await storage.s3.send(new ListObjectsV2Command({ Bucket: "soundpost-uploads" }));
  expect(Contents).toHaveLength(1);
  expect(Object.keys(stack.pids()).sort()).toEqual(["transcoder", "transcoder-1", "worker"]);
});

const findingsAbout = (part: string, json: object) =>
  (json as { findings: Finding[] }).findings
    .filter((finding) => finding.part === part)
    .map(({ state, says }) => `${state}: ${says}`);

test("check finds what is wrong, and service prints the unit and the Caddyfile", async () => {
  const { failed, json } = await command("check");
  const about = (part: string) => findingsAbout(part, json);
  expect(failed).toBe(true);
  expect(about("service")).toEqual([expect.stringMatching(/^ok: runs on .* pid \d+$/)]);
  expect(about("addresses")).toContain("wrong: api.sound.test has no address in DNS");
  expect(about("database")).toEqual([expect.stringMatching(/^ok: yours, PostgreSQL 1[78]/)]);
  expect(about("storage")).toEqual([`ok: yours, at ${storage.url}`]);
  expect(about("mail")).toEqual([expect.stringMatching(/^warning: SMTP_URL is not set/)]);
  expect(about("secrets")).toEqual([
    expect.stringMatching(/^wrong: .*chmod 600 .*settings\.env$/),
    "ok: whole",
  ]);

  const { text } = await command("service --unit --user radio");
  // The data of this test lie below /tmp, which a private one would hide.
  for (const line of ["User=radio", `ReadWritePaths="-${dataDir}"`, "ProtectSystem=strict", "PrivateTmp=no"])
    expect(text.split("\n")).toContain(line);
  expect(text).toMatch(/^ExecStart=".*\/node" ".*\/workers\/local\/stack\/start\.ts"$/m);
  const caddy = (await command("service --caddy")).text;
  expect(caddy).toMatch(
    /^https:\/\/api\.sound\.test, https:\/\/accounts\.sound\.test, https:\/\/sound\.test \{$/m,
  );
  expect(caddy).toContain(`reverse_proxy 127.0.0.1:${port} {`);
  // The storage is not ours to publish.
  expect(caddy).not.toContain("objects");
});

test("a database or a storage that will not do is refused with what to change", async () => {
  await stack.stop();
  const { databaseUrl } = database;
  const refusal = async (settings: string): Promise<string> => {
    const started = await start(settings).catch((error: Error) => error);
    if (started instanceof Error) return started.message;
    await started.stop();
    return "started";
  };
  const other = await refusal(`DATABASE_URL=${databaseUrl}\n`);
  expect(other).toContain("has a role soundpost_app with a password that is not in DATA_DIR/secrets.json");
  const silent = await refusal("DATABASE_URL=postgres://a:b@127.0.0.1:9/c\n");
  expect(silent).toMatch(/^The database at 127\.0\.0\.1:9 refuses: .*ECONNREFUSED.*See DATABASE_URL/);
  expect(findingsAbout("database", (await command("check")).json)).toEqual([
    expect.stringMatching(/^wrong: 127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED.*See DATABASE_URL$/),
  ]);
  const bucket = await refusal(`S3_ENDPOINT=${storage.url}\nS3_MEDIA_BUCKET=lost\n`);
  expect(bucket).toContain("bucket lost does not exist. Create it");
  const keys = await refusal(`S3_ENDPOINT=${storage.url}\nS3_ACCESS_KEY_ID=wrong\n`);
  expect(keys).toContain("bucket soundpost-media is closed to S3_ACCESS_KEY_ID");
});

test("an older PostgreSQL, another encoding and a role without rights are told apart", async () => {
  const owner = new pg.Client({ connectionString: database.appDatabaseUrl });
  await owner.connect();
  expect(await databaseFaults(owner)).toEqual([
    "soundpost_app may not create tables in the database. Make it the owner: ALTER DATABASE soundpost OWNER TO soundpost_app",
  ]);
  await owner.end();
  const facts = { version: "15.9", number: 150_009, encoding: "SQL_ASCII", creates: true };
  const old = Object.assign(new pg.Client(), { query: async () => ({ rows: [facts] }) });
  expect(await databaseFaults(old)).toEqual([
    expect.stringContaining("runs PostgreSQL 15.9. Soundpost needs 17 or newer"),
    expect.stringContaining("ENCODING 'UTF8'"),
  ]);
});
