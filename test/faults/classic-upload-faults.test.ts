import { ListMultipartUploadsCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "../../db/client.ts";
import { originalKey } from "../../db/objects/keys.ts";
import { beginClassicUpload, createClassicTrack } from "../../db/queries/classic-uploads.ts";
import { MAX_UPLOAD_BYTES } from "../../functions/api/uploads/limits.ts";
import { UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { MIB } from "../api/uploads/uploads.support.ts";
import { expectUnavailable } from "../lib/http/requests.support.ts";
import { storageOf } from "../support/tracks.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

/** A separate stack, because storage fails for all its users. */
let faulty: FaultyStack;
let storage: ReturnType<typeof storageOf>;
let token: string;
let owner: number;

beforeAll(async () => {
  // The object store injects faults only with this variable, which services inherit.
  vi.stubEnv("FAULTS", "1");
  faulty = await startFaultyStack({}, 0);
  storage = storageOf(faulty.stack);
  const { userId, tokens } = await faulty.auth.signedIn();
  [owner, token] = [userId, tokens.access_token];
});
afterEach(async () => {
  await faulty.auth.sql("delete from object_garbage");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await faulty?.stop();
});

/**
 * Fails the next requests to storage whose "METHOD /path?query" contains `match`. Unused faults stay queued.
 */
const fail = async (match: string, status: number | "reset", times: number) => {
  const order = { method: "POST", body: JSON.stringify({ match, status, times }) };
  expect((await fetch(`${faulty.stack.urls.objects}/__faults`, order)).status).toBe(204);
};

/** Large enough for three parts in storage. */
async function upload(): Promise<{ status: number; headers: Headers; text: string }> {
  const form = new FormData();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", new Blob([new Uint8Array(33 * MIB)]), "song.wav");
  const reply = await fetch(`${faulty.stack.urls.api}/tracks`, {
    method: "POST",
    body: form,
    headers: { Authorization: `OAuth ${token}` },
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

const tracks = () => faulty.auth.sql("select id from tracks where user_id = $1", [owner]);

const garbage = () =>
  faulty.auth.sql<{ prefix: string }>("select prefix from object_garbage where bucket = 'uploads'");

/** The owner's objects, and uploads with parts in storage. */
async function countStored(): Promise<{ objects: number; uploads: number }> {
  const ours = { Bucket: UPLOADS_BUCKET, Prefix: `in/${owner}/` };
  const { Contents = [] } = await storage.send(new ListObjectsV2Command(ours));
  const { Uploads = [] } = await storage.send(new ListMultipartUploadsCommand(ours));
  return { objects: Contents.length, uploads: Uploads.length };
}

const sweep = () => faulty.stack.worker.scheduled({ cron: "*/5 * * * *" });

test.for<[string, string, number | "reset"]>([
  ["refuses to begin", "?uploads=", 503],
  ["refuses a part in the middle", "partNumber=2", 500],
  ["breaks the connection in the middle", "partNumber=2", "reset"],
  ["is out of room at the last part", "partNumber=3", 507],
  ["refuses to put the parts together", "?uploadId=", 500],
])("503: storage that %s leaves nothing behind", async ([, match, status]) => {
  // The client tries each request twice.
  await fail(match, status, 2);
  expectUnavailable(await upload());
  expect([await tracks(), await garbage(), await countStored()]).toEqual([
    [],
    [],
    { objects: 0, uploads: 0 },
  ]);
});

test("the sweep removes leftover parts, retrying as often as needed", async () => {
  await fail("partNumber=2", 500, 2);
  await fail("DELETE /", 500, 2);
  expectUnavailable(await upload());
  expect([await tracks(), await countStored()]).toEqual([[], { objects: 0, uploads: 1 }]);
  // It could be an upload in progress, which may take a day.
  await sweep();
  expect([(await garbage()).length, await countStored()]).toEqual([1, { objects: 0, uploads: 1 }]);
  await faulty.auth.sql("update object_garbage set due_at = now()");
  for (const refused of ["uploads=", "DELETE /"]) {
    await fail(refused, 500, 2);
    await sweep();
    expect([(await garbage()).length, await countStored()]).toEqual([1, { objects: 0, uploads: 1 }]);
  }
  await sweep();
  expect([await garbage(), await countStored()]).toEqual([[], { objects: 0, uploads: 0 }]);
});

test("the sweep removes leftover parts even if another of its duties fails", async () => {
  await fail("partNumber=2", 500, 2);
  await fail("DELETE /", 500, 2);
  expectUnavailable(await upload());
  await faulty.auth.sql("update object_garbage set due_at = now()");
  await faulty.auth.sql("alter function erase_some rename to erase_none");
  try {
    await sweep();
  } finally {
    await faulty.auth.sql("alter function erase_none rename to erase_some");
  }
  expect([await garbage(), await countStored()]).toEqual([[], { objects: 0, uploads: 0 }]);
});

test("a full store makes the service unready until space is free", async () => {
  const ready = async () => {
    const reply = await fetch(`${faulty.stack.urls.api}/readyz`);
    return [reply.status, ((await reply.json()) as { storage: string }).storage];
  };
  await fail("HEAD /soundpost-media", 507, 1);
  expect(await ready()).toEqual([503, "failing"]);
  expect(await ready()).toEqual([200, "ok"]);
});

test("a request to storage that fails once is repeated without notice", async () => {
  for (const match of ["?uploads=", "partNumber=1", "partNumber=3", "?uploadId="]) await fail(match, 500, 1);
  const { status, text } = await upload();
  expect([status, JSON.parse(text).original_content_size]).toEqual([201, 33 * MIB]);
  expect([await garbage(), await countStored()]).toEqual([[], { objects: 1, uploads: 0 }]);
});

test("a file of 4 GiB becomes a track, though no part may be as large", async () => {
  const { appDatabaseUrl, proxyUrl, urls } = faulty.stack;
  const db = openDatabase({ DATABASE_URL: appDatabaseUrl, DATABASE_PROXY_URL: proxyUrl });
  const [session] = await faulty.auth.sql<{ sessionId: number; clientId: string }>(
    `select s.id::float8 as "sessionId", a.client_id as "clientId" from sessions s join apps a on a.id = s.app_id
     where s.user_id = $1`,
    [owner],
  );
  const caller = { ...(session ?? expect.unreachable()), userId: owner };
  // Storage holds no such file, because sending it takes half a minute.
  const file = {
    filename: "a.wav",
    size: MAX_UPLOAD_BYTES,
    type: "audio/wav",
    objectKey: originalKey(owner),
  };
  const secret = { secretHash: new Uint8Array(32), secretSealed: new Uint8Array(32), creditBudget: null };
  await beginClassicUpload(db, caller, file.objectKey);
  const made = await createClassicTrack(db, caller, file, {
    fields: { title: "A day" },
    permalink: "a-day",
    ...secret,
  });
  expect(made).toMatchObject({ outcome: "created", track: { original_content_size: MAX_UPLOAD_BYTES } });
  const as = (method: string, path: string) =>
    fetch(urls.api + path, { method, headers: { Authorization: `OAuth ${token}` } });
  const [listed] = (await (await as("GET", "/uploads")).json()) as { track_id: number }[];
  expect(listed).toMatchObject({ part_size: 2 ** 30, part_count: 4 });
  expect((await as("DELETE", `/tracks/${listed?.track_id}`)).status).toBe(200);
});
