import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MEDIA_BUCKET } from "../../workers/local/worker/bindings.ts";
import { MIB } from "../api/uploads/uploads.support.ts";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { expectUnavailable, type Sent, sender } from "../lib/http/requests.support.ts";
import { brokenInvariants } from "../support/check-invariants.ts";
import { openStallingStorage, type Slowness } from "../support/stalling-storage.ts";
import { shortWav, storageOf } from "../support/tracks.ts";
import { jobIn } from "./encodes.support.ts";

let faulty: FaultyStack;
let storage: Awaited<ReturnType<typeof openStallingStorage>>;
let send: ReturnType<typeof sender>;
let mp3: string;
let whole: Buffer;

interface Track {
  id: number;
  state: string;
}

interface Owner {
  userId: number;
  token: string;
}

async function signedIn(): Promise<Owner> {
  const { userId, tokens } = await faulty.auth.signedIn();
  return { userId, token: tokens.access_token };
}

async function upload({ token }: Owner, file: Blob): Promise<Sent> {
  const form = new FormData();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", file, "song.wav");
  const headers = { Authorization: `OAuth ${token}` };
  const reply = await fetch(`${faulty.stack.urls.api}/tracks`, { method: "POST", body: form, headers });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

beforeAll(async () => {
  storage = await openStallingStorage();
  faulty = await startFaultyStack({ S3_ENDPOINT: storage.url });
  storage.leadTo(faulty.stack.urls.objects);
  send = sender(faulty);
  const owner = await signedIn();
  const { id } = JSON.parse((await upload(owner, shortWav(40))).text) as Track;
  const read = async (path: string) => JSON.parse((await send("GET", path, owner.token)).text);
  while ((await read(`/tracks/${id}`)).state !== "finished") await sleep(50);
  mp3 = (await read(`/tracks/${id}/streams`)).http_mp3_128_url;
  // Read from storage, so that no cache has it yet.
  const [row] = await faulty.auth.sql<{ prefix: string }>(
    "select media_prefix as prefix from tracks where id = $1",
    [id],
  );
  const stored = await storageOf(faulty.stack).send(
    new GetObjectCommand({ Bucket: MEDIA_BUCKET, Key: `${row?.prefix}mp3/0.mp3` }),
  );
  whole = Buffer.from((await stored.Body?.transformToByteArray()) ?? []);
});
afterAll(async () => {
  await faulty?.stop();
  storage?.close();
});

/** Bytes that arrived before the connection broke. */
async function partOf(url: string): Promise<{ announced: number; bytes: Buffer; broke: boolean }> {
  const [reply] = (await once(get(url), "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  reply.on("data", (chunk: Buffer) => chunks.push(chunk));
  const broke = await new Promise<boolean>((resolve) => {
    reply.once("end", () => resolve(false)).once("error", () => resolve(true));
  });
  return { announced: Number(reply.headers["content-length"]), bytes: Buffer.concat(chunks), broke };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Requests the file once all turns before have begun theirs, so that none meets another's slowness. */
function inTurn<Result>(begin: () => Promise<Result>): Promise<Result> {
  const turn = lastTurn.then(begin);
  lastTurn = turn.catch(() => {});
  return turn;
}

/** Begins a request for the file, which storage answers slowly. */
const slowly = <Result>(slowness: Slowness, ask: () => Promise<Result>) =>
  inTurn(async () => {
    const met = storage.order(/mp3\/0\.mp3/, slowness);
    const asked = ask();
    await met;
    return { asked };
  });

// Concurrent, because each waits for a limit of ten seconds. Files that are written have owners of their own.

test.concurrent("storage that stalls during a stream ends it, and the listener resumes by Range (F21)", async () => {
  const { asked } = await slowly({ kind: "reply stalls", afterBytes: 200_000 }, () => partOf(mp3));
  const { announced, bytes, broke } = await asked;
  expect([announced, broke]).toEqual([whole.length, true]);
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes.length).toBeLessThan(whole.length);
  const rest = await inTurn(() => fetch(mp3, { headers: { Range: `bytes=${bytes.length}-` } }));
  expect([rest.status, rest.headers.get("Content-Range")]).toEqual([
    206,
    `bytes ${bytes.length}-${whole.length - 1}/${whole.length}`,
  ]);
  expect(Buffer.concat([bytes, Buffer.from(await rest.arrayBuffer())]).equals(whole)).toBe(true);
});

test.concurrent("503: storage that stalls before a stream begins (F21)", async () => {
  const { asked } = await slowly({ kind: "mute" }, () => fetch(mp3));
  const { status, headers } = await asked;
  expect([status, headers.get("Retry-After")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
});

test.concurrent("a moving stream may outlast the limit for stalled ones", async () => {
  const trickle = {
    kind: "reply trickles",
    chunkBytes: Math.ceil(whole.length / 13),
    eachMs: 1_000,
  } as const;
  const { asked } = await slowly(trickle, () => partOf(mp3));
  const startedAt = performance.now();
  const { announced, bytes, broke } = await asked;
  expect(performance.now() - startedAt).toBeGreaterThan(12_000);
  expect([announced, broke]).toEqual([whole.length, false]);
  expect(bytes.equals(whole)).toBe(true);
});

test.concurrent("a listener who pauses does not count as stalled storage", async () => {
  const [reply] = await inTurn(async () => (await once(get(mp3), "response")) as [IncomingMessage]);
  await sleep(12_000);
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(whole)).toBe(true);
});

const direct = { filename: "a.wav", size: 100, type: "audio/wav" };

test.concurrent("503: storage that never answers, without any change", async () => {
  const { userId, token } = await signedIn();
  const opened = JSON.parse((await send("POST", "/uploads", token, direct)).text);
  const { urls } = JSON.parse(
    (await send("POST", `/uploads/${opened.id}/parts`, token, { numbers: [1] })).text,
  );
  const put = await fetch(urls[1], { method: "PUT", body: "x".repeat(100) });
  const parts = [{ number: 1, etag: put.headers.get("ETag") }];
  const request = (method: string, query = "") =>
    new RegExp(`^${method} /soundpost-uploads/in/${userId}/.*${query}`);
  storage.order(request("POST"), { kind: "mute" });
  // Stalls within the XML that lists the parts.
  storage.order(request("GET", "&x-id=ListParts"), { kind: "reply stalls", afterBytes: 100 });
  const asked = [send("POST", "/uploads", token, direct), send("GET", `/uploads/${opened.id}`, token)];
  for (const answer of await Promise.all(asked)) expectUnavailable(answer);
  storage.order(request("HEAD"), { kind: "mute" });
  expectUnavailable(await send("POST", `/uploads/${opened.id}/complete`, token, { parts }));
  // The parts were joined, which the retry detects.
  expect((await send("POST", `/uploads/${opened.id}/complete`, token, { parts })).status).toBe(200);
});

test.concurrent.for([
  ["whole, before its first byte", 1, "", { kind: "mute" }],
  ["in parts, amid the second", 34, "partNumber=2", { kind: "request stalls", afterBytes: 4 * MIB }],
] as const)(
  "503: storage that stops accepting a file, %s, without leftovers",
  async ([, mib, query, slowness]) => {
    const owner = await signedIn();
    const ours = `in/${owner.userId}/`;
    const tracks = () => faulty.auth.sql("select id from tracks where user_id = $1", [owner.userId]);
    storage.order(new RegExp(`^PUT /soundpost-uploads/${ours}.*${query}`), slowness, 2);
    expectUnavailable(await upload(owner, new Blob([new Uint8Array(mib * MIB)])));
    expect(await tracks()).toEqual([]);
    expect(
      await faulty.auth.sql(
        "select 1 from object_garbage where bucket = 'uploads' and starts_with(prefix, $1) and due_at <= now()",
        [ours],
      ),
    ).toEqual([]);
    expect(await brokenInvariants([owner.userId], faulty)).toEqual([]);
  },
);

test.concurrent("a disk that is full more often than a job has attempts costs it none", async ({
  expect,
}) => {
  const owner = await signedIn();
  const full = () => storage.order(/^PUT \/soundpost-media\/.*hls\/160\/init\.mp4/, { kind: "full" });
  let met = full();
  const { id } = JSON.parse((await upload(owner, shortWav())).text) as Track;
  for (let failures = 1; failures <= 6; failures++) {
    await met;
    await expect
      .poll(() => jobIn(faulty, id))
      .toEqual({ state: "processing", job: "queued", attempt: 0, reason: "no_space" });
    if (failures < 6) met = full();
    await faulty.auth.sql("update encoding_jobs set next_run_at = now() where track_id = $1", [id]);
    await faulty.stack.worker.scheduled({ cron: "* * * * *" });
  }
  await expect
    .poll(() => jobIn(faulty, id))
    .toEqual({ state: "finished", job: "done", attempt: 1, reason: null });
});

// By itself, because its encode would meet the order of the full disk.
test("storage that stalls amid a source is asked again within the attempt", async () => {
  const owner = await signedIn();
  const met = storage.order(new RegExp(`^GET /soundpost-uploads/in/${owner.userId}/`), {
    kind: "reply stalls",
    afterBytes: 1_000,
  });
  const { id } = JSON.parse((await upload(owner, shortWav())).text) as Track;
  await met;
  await expect
    .poll(() => jobIn(faulty, id))
    .toEqual({ state: "finished", job: "done", attempt: 1, reason: null });
});
