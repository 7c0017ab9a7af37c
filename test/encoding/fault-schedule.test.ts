import { createHash, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { repeats } from "../support/repeats.ts";
import { shortWav, storageOf, words } from "../support/tracks.ts";
import { describeFault, planFaults, randomFrom } from "./fault-schedule.ts";
import { type FaultyPool, startFaultyPool } from "./faulty-pool.support.ts";

/** `SEED=7 npm test -- test/encoding/fault-schedule.test.ts` repeats a schedule. */
const SEED = Number(process.env.SEED ?? randomInt(1_000_000));
const TRACKS = repeats(8, 50);
const EACH_UPLOAD_MS = 900;

/** Seconds of audio. One more file is no audio. */
const LENGTHS = [1, 3, 12, 30];
const NO_AUDIO = -1;

/** Turns of the cron, each of two seconds and its work, in which a waiting job finds a free transcoder. */
const LONGEST_WAIT_TURNS = 15;

let pool: FaultyPool;
/** Hashes of a length's media by name, encoded in peace. */
const expected = new Map<number, Map<string, string>>();

beforeAll(async () => {
  pool = await startFaultyPool();
  await pool.sql(
    `create table ends (track bigint, before text, after text);
     create function note_end() returns trigger language plpgsql security definer as $$ begin
       insert into ends values (new.id, old.state, new.state); return null; end $$;
     create trigger note_end after update of state on tracks
       for each row when (old.state is distinct from new.state) execute function note_end()`,
  );
});
afterAll(() => pool?.stop());

const fileOf = (length: number) => (length === NO_AUDIO ? words() : shortWav(length));

interface Row {
  id: number;
  state: string;
  job: string;
  attempt: number;
  reason: string | null;
  retryable: boolean | null;
  prefix: string | null;
}

const rows = () =>
  pool.sql<Row>(
    `select t.id::float8 as id, t.state, j.state as job, attempt, failure_reason as reason, failure_retryable as retryable,
       media_prefix as prefix from tracks t join encoding_jobs j on j.track_id = t.id`,
  );

const allEnd = () =>
  expect
    .poll(async () => (await rows()).filter(({ state }) => state === "processing"), { timeout: 280_000 })
    .toEqual([]);

const keysIn = async (bucket: string): Promise<string[]> => {
  const keys: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await storageOf(pool.stack).send(
      new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: after }),
    );
    keys.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
    after = page.NextContinuationToken;
    if (!after) return keys;
  }
};

async function hashesUnder(prefix: string, keys: string[]): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const Key of keys.filter((key) => key.startsWith(prefix)).sort()) {
    const { Body } = await storageOf(pool.stack).send(new GetObjectCommand({ Bucket: MEDIA_BUCKET, Key }));
    const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
    hashes.set(Key.slice(prefix.length), createHash("sha256").update(bytes).digest("hex"));
  }
  return hashes;
}

/** A client who repeats an upload until it is accepted. */
async function createClient() {
  const { tokens } = await pool.auth.signedIn();
  const headers = { Authorization: `OAuth ${tokens.access_token}` };
  return {
    async upload(file: Blob): Promise<number> {
      for (;;) {
        const form = new FormData();
        form.set("track[title]", "A song");
        form.set("track[sharing]", "public");
        form.set("track[asset_data]", file, "song.wav");
        const made = await fetch(`${pool.stack.urls.api}/tracks`, { method: "POST", body: form, headers });
        const body = await made.text();
        if (made.status !== 201) continue;
        const { id } = JSON.parse(body) as { id: number };
        pool.ledger.accepted.add(id);
        pool.ledger.originals.set(id, file);
        return id;
      }
    },
    remove: (id: number) => pool.send("DELETE", `/tracks/${id}`, tokens.access_token),
  };
}

/** Watches whether due jobs wait although a transcoder is free. Resolves to the longest such wait, in turns of the cron. */
async function watchWaits(isOver: () => boolean): Promise<number> {
  let longest = 0;
  let since: number | undefined;
  while (!isOver()) {
    const [seen] = await pool.sql<{ due: number; leased: number }>(
      `select count(*) filter (where state = 'queued' and next_run_at < now())::int as due,
         count(*) filter (where state = 'leased')::int as leased from encoding_jobs`,
    );
    const now = pool.turns();
    since = seen && seen.due > 0 && seen.leased < 2 ? (since ?? now) : undefined;
    longest = Math.max(longest, now - (since ?? now));
    await sleep(50);
  }
  return longest;
}

test(`faults at random moments of a batch: each track is finished once and whole, or failed with its reason (SEED=${SEED}; F23, F32, F37, F38, F39, F41, F42, F46, F48, F53)`, {
  timeout: 600_000,
}, async () => {
  const client = await createClient();
  const lengthOf = new Map<number, number>();
  for (const length of LENGTHS) lengthOf.set(await client.upload(fileOf(length)), length);
  await allEnd();
  const keys = await keysIn(MEDIA_BUCKET);
  for (const { id, prefix } of await rows())
    expected.set(lengthOf.get(id) ?? 0, await hashesUnder(prefix ?? "missing", keys));

  const random = randomFrom(SEED);
  const plan = planFaults(random, TRACKS, TRACKS * EACH_UPLOAD_MS);
  const startedAt = performance.now();
  const until = (ms: number) => sleep(Math.max(0, startedAt + ms - performance.now()));
  const ids: number[] = [];
  const uploads = (async () => {
    for (let n = 0; n < TRACKS; n++) {
      const length = random.pick(NO_AUDIO, ...LENGTHS);
      await until(n * EACH_UPLOAD_MS);
      const id = await client.upload(fileOf(length));
      lengthOf.set(id, length);
      ids.push(id);
    }
  })();
  const faults = plan.map(async ({ atMs, fault }) => {
    await until(atMs);
    const id = "track" in fault ? (ids[fault.track % Math.max(1, ids.length)] ?? 0) : 0;
    if (fault.kind !== "delete") await pool.suffer("track" in fault ? { ...fault, track: id } : fault);
    else if (id) await client.remove(id);
  });
  await Promise.all([uploads, ...faults]);
  pool.calm();
  let isOver = false;
  const waits = watchWaits(() => isOver);
  await allEnd().finally(() => {
    isOver = true;
  });
  const schedule = plan.map(describeFault).join("\n");
  expect(await waits, schedule).toBeLessThan(LONGEST_WAIT_TURNS);

  // A frozen transcoder's last writes are over before the sweep.
  await expect
    .poll(() => pool.running(), { timeout: 120_000, message: schedule })
    .toEqual({ jobs: [0, 0], ffmpegs: 0 });
  await pool.sql(
    "update uploads set expires_at = now() - interval '1 s' where status in ('open', 'completing', 'ready')",
  );
  await expect
    .poll(async () => {
      await pool.sql("update object_garbage set due_at = now()");
      await pool.stack.worker.scheduled({ cron: "*/5 * * * *" });
      return pool.sql("select prefix from object_garbage");
    })
    .toEqual([]);

  const all = await rows();
  const stored = await keysIn(MEDIA_BUCKET);
  const prefixes = all.flatMap(({ prefix }) => prefix ?? []);
  expect(
    stored.filter((key) => !prefixes.some((prefix) => key.startsWith(prefix))),
    schedule,
  ).toEqual([]);
  const originals = (await pool.sql<{ key: string }>("select original_key as key from tracks")).map(
    ({ key }) => key,
  );
  expect((await keysIn(UPLOADS_BUCKET)).sort(), schedule).toEqual(originals.sort());

  const ends = await pool.sql<{ track: number; before: string; after: string }>(
    "select track::float8 as track, before, after from ends",
  );
  for (const { id, state, attempt, reason, retryable, prefix } of all) {
    const about = `track ${id} of ${lengthOf.get(id)} s\n${schedule}`;
    expect(
      ends.filter(({ track }) => track === id),
      about,
    ).toEqual([{ track: id, before: "processing", after: state }]);
    if (state === "finished") {
      expect(await hashesUnder(prefix ?? "missing", stored), about).toEqual(
        expected.get(lengthOf.get(id) ?? 0),
      );
    } else if (retryable) expect(attempt, about).toBe(5);
    else expect([lengthOf.get(id), attempt <= 5 && reason], about).toEqual([NO_AUDIO, "unsupported_format"]);
  }
  const audible = all.filter(({ id }) => ids.includes(id) && lengthOf.get(id) !== NO_AUDIO);
  const failed = audible.filter(({ state }) => state === "failed");
  expect(failed.length, `${JSON.stringify(failed)}\n${schedule}`).toBeLessThan(audible.length / 2);
});
