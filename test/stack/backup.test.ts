import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { s3Client } from "../../db/objects/s3-client.ts";
import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { apiClient, type UploadSession, uploadParts } from "../../workers/local/demo/upload.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { makeSources } from "../support/sources.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { SOURCES_DIRECTORY } from "../transcoder/sources-directory.ts";
import { until } from "./npm-start.ts";

const root = mkdtempSync(join(tmpdir(), "soundpost-backup-"));
// Postgres runs as another user for root and must be able to enter.
chmodSync(root, 0o711);
const [first, second, copy] = ["first", "second", "copy"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const stacks: Stack[] = [];

afterAll(async () => {
  for (const stack of stacks) await stack.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Both share their addresses, because tokens name their issuer. */
const port = await freePorts(3);

async function start(dataDir: string): Promise<Stack> {
  const stack = await startStack({ port, dataDir, log: () => {}, crons: false });
  stacks.push(stack);
  return stack;
}

/** Runs the command like an operator. */
async function admin(dataDir: string, ...args: string[]) {
  const program = [join(PROJECT_DIR, "workers/admin/main.ts"), ...args, "--json"];
  const env = { ...process.env, DATA_DIR: dataDir };
  return promisify(execFile)(process.execPath, program, { env }).then(
    ({ stdout }) => ({ code: 0, reply: JSON.parse(stdout), stderr: "" }),
    ({ code, stderr }) => ({ code, reply: undefined, stderr: String(stderr) }),
  );
}

async function withOwner<T>({ databaseUrl }: Stack, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Row count of each table and a hash of all rows. */
const contents = (stack: Stack) =>
  withOwner(stack, async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT data_tables()::text AS name");
    const hashes: Record<string, unknown> = {};
    for (const { name } of rows) {
      const text = `SELECT count(*)::int AS rows, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS hash FROM ${name} t`;
      hashes[name] = (await client.query(text)).rows[0];
    }
    return hashes;
  });

async function published(stack: Stack) {
  const run = async (command: string, ...args: string[]) =>
    (await commands[command]?.(stackTarget(stack), readArguments(args))) as Record<string, string>;
  const account = ["--username", "ana", "--email", "ana@example.com", "--password", "correct horse battery"];
  await run("user create", ...account, "--plan", "artist", "--confirmed");
  const app = await run(
    "app create",
    "--owner",
    "ana",
    "--name",
    "A",
    "--redirect-uri",
    "http://127.0.0.1/cb",
  );
  const { access_token: token = "" } = await run(
    "token create",
    "--app",
    app.client_id ?? "",
    "--user",
    "ana",
  );
  const call = apiClient(stack.urls.api, token);
  const { flac } = await makeSources(SOURCES_DIRECTORY);
  const audio = { path: flac.path, size: statSync(flac.path).size };
  const session = await call<UploadSession>("POST", "/uploads", {
    filename: "a.flac",
    size: audio.size,
    type: "audio/flac",
  });
  await uploadParts(call, session, audio, () => {});
  const { id } = await call<{ id: number }>("POST", "/tracks", {
    track: { upload_id: session.id, title: "Kept" },
  });
  const state = async () => (await call<{ state: string }>("GET", `/tracks/${id}`)).state;
  await until("the track is encoded", async () => (await state()) === "finished");
  return { id, token };
}

test("a backup restores elsewhere row by row, and its tracks play (F62)", { timeout: 300_000 }, async () => {
  mkdirSync(first);
  await fillDataDir(first);
  const stack = await start(first);
  const { id, token } = await published(stack);
  const running = await admin(first, "backup", "--to", copy);
  expect([running.code, running.stderr]).toEqual([2, expect.stringContaining("Stop it")]);
  const before = await contents(stack);
  await stack.stop();

  expect((await admin(first, "backup", "--to", copy)).reply).toMatchObject({ backup: copy });
  rmSync(first, { recursive: true });
  expect((await admin(second, "restore", "--from", copy)).reply).toMatchObject({ restored: second });

  const restored = await start(second);
  expect(await contents(restored)).toEqual(before);
  const call = apiClient(restored.urls.api, token);
  const streams = await call<{ http_mp3_128_url: string; hls_aac_160_url: string }>(
    "GET",
    `/tracks/${id}/streams`,
  );
  const mp3 = await fetch(streams.http_mp3_128_url);
  expect([mp3.status, (await mp3.arrayBuffer()).byteLength > 1000]).toEqual([200, true]);
  const master = await (await fetch(streams.hls_aac_160_url)).text();
  expect(master).toContain("#EXTM3U");
  const referenced = await withOwner(restored, (client) =>
    client.query("SELECT prefix, bucket FROM referenced_objects()"),
  );
  expect(referenced.rows.length).toBeGreaterThan(1);
  const objects = s3Client({
    S3_ENDPOINT: restored.urls.objects,
    S3_ACCESS_KEY_ID: restored.secrets.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: restored.secrets.S3_SECRET_ACCESS_KEY,
    S3_UPLOADS_BUCKET: UPLOADS_BUCKET,
    S3_MEDIA_BUCKET: MEDIA_BUCKET,
  });
  for (const { prefix, bucket } of referenced.rows) {
    const { KeyCount } = await objects.send(
      new ListObjectsV2Command({
        Bucket: bucket === "media" ? MEDIA_BUCKET : UPLOADS_BUCKET,
        Prefix: prefix,
      }),
    );
    expect(KeyCount, prefix).toBeGreaterThan(0);
  }
});

test("a backup with a missing or changed file restores nothing and names it; existing data is never overwritten", async () => {
  const third = join(root, "third");
  writeFileSync(join(copy, "secrets.json"), "{}");
  const damaged = await admin(third, "restore", "--from", copy);
  expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining("secrets.json")]);
  const taken = await admin(second, "restore", "--from", copy);
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("not empty")]);
  const again = await admin(second, "backup", "--to", copy);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("not empty")]);
});
