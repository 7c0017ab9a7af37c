import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeProtectedHeader } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { ROTATIONS } from "../../workers/admin/server/rotate.ts";
import { serverCommands } from "../../workers/admin/server/server-commands.ts";
import { apiClient, type UploadSession, uploadParts } from "../../workers/local/demo/upload.ts";
import { connect } from "../../workers/local/stack/own-database.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { readRunningStack } from "../../workers/local/stack/record.ts";
import { saveSecrets } from "../../workers/local/stack/secrets.ts";
import { givenSettings } from "../../workers/local/stack/settings.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { clicks, wavFile } from "../support/sources/pcm.ts";
import { makeFirstAccount, tokenThrough } from "./first-account.support.ts";
import { until } from "./npm-start.ts";

const root = mkdtempSync(join(tmpdir(), "soundpost-rotate-"));
const dataDir = join(root, "data");
// Postgres runs as another user for root and must be able to enter.
chmodSync(root, 0o711);
/** Tokens name their issuer, so the addresses stay. */
const port = await freePorts(3);

let stack: Stack;
let app: string;
let token: string;
let track: number;

async function start(): Promise<void> {
  const { METRICS_TOKEN = "" } = givenSettings({ DATA_DIR: dataDir });
  stack = await startStack({
    port,
    dataDir,
    log: () => {},
    crons: false,
    transcoders: 1,
    env: { METRICS_TOKEN },
  });
}

async function restart(): Promise<void> {
  await stack.stop();
  await start();
}

async function rotate(name: string, ...options: string[]) {
  return rotateIn(dataDir, name, ...options);
}

async function rotateIn(directory: string, name: string, ...options: string[]) {
  vi.stubEnv("DATA_DIR", directory);
  return serverCommands[`rotate ${name}`]?.(readArguments(["rotate", name, ...options]));
}

const secrets = () => JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8"));

const newToken = () => tokenThrough(stack, app);

const statusOf = async (path: string, bearer = token) =>
  (await fetch(`${stack.urls.api}${path}`, { headers: { Authorization: `Bearer ${bearer}` } })).status;

async function upload(title: string): Promise<number> {
  const call = apiClient(stack.urls.api, token);
  const song = wavFile(clicks(22_050, 44_100), 44_100);
  const file = { path: join(root, "song.wav"), size: song.length };
  writeFileSync(file.path, song);
  const asked = { filename: "song.wav", type: "audio/wav", size: file.size };
  const session = await call<UploadSession>("POST", "/uploads", asked);
  await uploadParts(call, session, file, () => {});
  const made = await call<{ id: number }>("POST", "/tracks", {
    track: { upload_id: session.id, title, sharing: "private" },
  });
  const state = async () => (await call<{ state: string }>("GET", `/tracks/${made.id}`)).state;
  await until("the track is encoded", async () => (await state()) === "finished");
  return made.id;
}

interface Shown {
  secret_uri: string;
}

beforeAll(async () => {
  await fillDataDir(dataDir);
  await start();
  ({ app, token } = await makeFirstAccount(stack));
  track = await upload("A song");
});

afterEach(() => vi.unstubAllEnvs());

afterAll(async () => {
  await stack.stop();
  rmSync(root, { recursive: true, force: true });
});

const streamUrl = async () =>
  (await apiClient(stack.urls.api, token)<{ http_mp3_128_url: string }>("GET", `/tracks/${track}/streams`))
    .http_mp3_128_url;

describe("each secret is replaced beside a running service, and a restart takes it up", () => {
  test("JWT_KEYS: the next key signs, and tokens of the one before stay good until they are revoked", async () => {
    const [, next] = JSON.parse(secrets().JWT_KEYS).keys;
    await rotate("JWT_KEYS");
    expect(await statusOf("/me")).toBe(200);
    await restart();
    const fresh = await newToken();
    expect(decodeProtectedHeader(fresh).kid).toBe(next.kid);
    expect([await statusOf("/me"), await statusOf("/me", fresh)]).toEqual([200, 200]);
    const kids = () => JSON.parse(secrets().JWT_KEYS).keys.map(({ kid }: { kid: string }) => kid);
    const [signing, following, former] = kids();
    await rotate("JWT_KEYS");
    expect(kids()).toEqual([following, expect.any(String), signing, former]);
    await rotate("JWT_KEYS", "--revoke");
    await restart();
    expect([await statusOf("/me"), await statusOf("/me", fresh)]).toEqual([401, 401]);
    token = await newToken();
    expect(await statusOf("/me")).toBe(200);
  });

  test("SIGNING_KEYS: signed addresses stay good until they are revoked", async () => {
    const url = await streamUrl();
    await rotate("SIGNING_KEYS");
    await restart();
    expect((await fetch(url)).status).toBe(200);
    await rotate("SIGNING_KEYS", "--revoke");
    await restart();
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(await streamUrl())).status).toBe(200);
  });

  test("SEAL_KEYS: what was sealed still opens, and the older key is never dropped", async () => {
    const shown = () => apiClient(stack.urls.api, token)<Shown>("GET", `/tracks/${track}`);
    const before = await shown();
    await rotate("SEAL_KEYS");
    await restart();
    expect((await shown()).secret_uri).toBe(before.secret_uri);
    await expect(rotate("SEAL_KEYS", "--revoke")).rejects.toThrow("older keys");
    expect(secrets().SEAL_KEYS.split(",")).toHaveLength(2);
  });

  test.each([
    "TRANSCODER_SECRET",
    "S3_ACCESS_KEY_ID",
    "S3_SECRET_ACCESS_KEY",
    "DATABASE_OWNER_PASSWORD",
    "DATABASE_APP_PASSWORD",
  ])("%s: what was stored plays, and another upload is encoded", async (name) => {
    const before = secrets()[name];
    expect(await rotate(name)).toMatchObject({ json: { rotated: name, restart: true } });
    expect(secrets()[name]).not.toBe(before);
    expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
    // Backups and checks go on before the restart.
    const { databaseUrl = "", appDatabaseUrl = "" } = (await readRunningStack(dataDir)) ?? {};
    for (const url of [databaseUrl, appDatabaseUrl]) await (await connect(url)).end();
    await restart();
    expect((await fetch(await streamUrl())).status).toBe(200);
    await upload(`After ${name}`);
    await expect(rotate(name, "--revoke")).rejects.toThrow("one value");
  });

  test("METRICS_TOKEN: scrapers need the new one", async () => {
    await rotate("METRICS_TOKEN");
    const [first] = readFileSync(join(dataDir, "settings.env"), "utf8").split("\n");
    await rotate("METRICS_TOKEN");
    await restart();
    const scrape = (bearer = "") => statusOf("/metrics", bearer);
    const { METRICS_TOKEN } = givenSettings({ DATA_DIR: dataDir });
    expect([await scrape(METRICS_TOKEN), await scrape(first?.split("=")[1])]).toEqual([200, 401]);
  });

  test("every secret has a rotation", () => {
    expect([...Object.keys(secrets()), "METRICS_TOKEN"].sort()).toEqual(Object.keys(ROTATIONS).sort());
  });
});

function nameStorageElsewhere(): void {
  for (const name of ["S3_ENDPOINT", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"])
    vi.stubEnv(name, "https://s3.example");
}

test("what the operator keeps elsewhere is refused, with the place", async () => {
  vi.stubEnv("METRICS_TOKEN", "x");
  await expect(rotate("METRICS_TOKEN")).rejects.toThrow("comes from the environment");
  vi.stubEnv("DATABASE_URL", "postgres://owner:password@db.example/soundpost");
  const theirs = "The password is your database's";
  await expect(rotate("DATABASE_OWNER_PASSWORD")).rejects.toThrow(theirs);
  vi.stubEnv("MIGRATOR_DATABASE_URL", "postgres://owner:password@db.example/soundpost");
  await expect(rotate("DATABASE_APP_PASSWORD")).rejects.toThrow(theirs);
  nameStorageElsewhere();
  for (const name of ["S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"])
    await expect(rotate(name)).rejects.toThrow("your storage's");
});

test("what the service keeps is replaced, also beside a database and a storage elsewhere", async () => {
  const stopped = join(root, "stopped");
  mkdirSync(stopped, { recursive: true });
  saveSecrets(stopped, secrets());
  vi.stubEnv("DATABASE_URL", "postgres://owner:password@db.example/soundpost");
  nameStorageElsewhere();
  expect(await rotateIn(stopped, "TRANSCODER_SECRET")).toMatchObject({ json: { restart: true } });
  // The service made this role.
  await expect(rotateIn(stopped, "DATABASE_APP_PASSWORD")).rejects.toThrow("Start the service first");
});

test("for a deployment the new keys are printed, beside those of now, which are asked for", async () => {
  const of = ["--env", "production"];
  await expect(rotate("SIGNING_KEYS", ...of)).rejects.toThrow("SIGNING_KEYS of now");
  const { SIGNING_KEYS: older } = secrets();
  vi.stubEnv("SIGNING_KEYS", older);
  expect((await rotate("SIGNING_KEYS", ...of))?.text).toMatch(/^[\w+/=]{44},/);
  expect((await rotate("SIGNING_KEYS", ...of))?.text.trimEnd().endsWith(`,${older}`)).toBe(true);
  expect(secrets().SIGNING_KEYS).toBe(older);
  await expect(rotate("DATABASE_APP_PASSWORD", ...of)).rejects.toThrow("recovery.md");
  vi.stubEnv("SIGNING_KEYS", "no key");
  await expect(rotate("SIGNING_KEYS", ...of)).rejects.toThrow("can be no key");
});
