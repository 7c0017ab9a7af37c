import { setTimeout as sleep } from "node:timers/promises";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { brokenInvariantsOf } from "../support/check-invariants.ts";
import { INVARIANTS } from "../support/invariants.ts";
import { shortWav, storageOf } from "../support/tracks.ts";

let faulty: FaultyStack;
let track: number;
let user: number;
let original: string;
const file = shortWav();

beforeAll(async () => {
  faulty = await startFaultyStack();
  const { userId, tokens } = await faulty.auth.signedIn();
  const form = new FormData();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", file, "song.wav");
  const headers = { Authorization: `OAuth ${tokens.access_token}` };
  const made = await fetch(`${faulty.stack.urls.api}/tracks`, { method: "POST", body: form, headers });
  [user, track] = [userId, ((await made.json()) as { id: number }).id];
  let stored: Record<string, unknown> | undefined;
  while (stored?.state !== "finished") {
    [stored] = await run("select state, original_key from tracks where id = $1", [track]);
    await sleep(50);
  }
  original = String(stored.original_key);
  faulty.ledger.originals.set(track, file);
});
afterAll(() => faulty.stop());

const run = (text: string, values: unknown[] = []) => faulty.auth.sql(text, values);

const put = (bucket: string, key: string, body: Uint8Array) =>
  storageOf(faulty.stack).send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));

const remove = (bucket: string, key: string) =>
  storageOf(faulty.stack).send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));

const DAY_MS = 24 * 3600 * 1000;

interface Breach {
  what: string;
  /** SQL with the track as `$1` and its owner as `$2`. */
  broken?: string;
  mended?: string;
  does?: () => unknown;
  undoes?: () => unknown;
  /** Milliseconds from now. */
  later?: number;
}

const job = (set: string) => `update encoding_jobs set ${set} where track_id = $1`;
const row = (set: string) => `update tracks set ${set} where id = $1`;

const BREACHES: Record<string, Breach[]> = {
  I1: [
    {
      what: "a finished track whose job waits",
      broken: job("state = 'queued', next_run_at = 'infinity'"),
      mended: job("state = 'done'"),
    },
  ],
  I2: [
    {
      what: "a finished track whose media are nowhere",
      broken: row("media_prefix = 'nowhere/' || media_prefix"),
      mended: row("media_prefix = substr(media_prefix, 9)"),
    },
  ],
  I3: [
    {
      what: "a public track that was not posted",
      broken: "delete from posts where subject_id = $1",
      mended: `insert into posts (id, kind, user_id, subject_id)
        select id, kind, user_id, subject_id from public_posts where subject_id = $1`,
    },
    {
      what: "a private track that is still posted",
      broken: `with held as (select * from posts where subject_id = $1)
        insert into posts select id, kind, user_id, 1, transaction_id from held`,
      mended: "delete from posts where subject_id = 1",
    },
  ],
  I4: [
    {
      what: "an accepted track that is not there",
      does: () => faulty.ledger.accepted.add(1),
      undoes: () => faulty.ledger.accepted.delete(1),
    },
    {
      what: "a used upload without its track",
      broken: `insert into uploads (user_id, filename, size, type, status, part_size, part_count, object_key, track_id, expires_at)
        values ($2, 'lost', 1, 'audio/wav', 'used', 1, 1, 'lost', $1, now())`,
      mended: "delete from uploads where track_id = $1 and object_key = 'lost'",
    },
  ],
  I5: [
    { what: "a sixth attempt", broken: job("attempt = 6"), mended: job("attempt = 1") },
    {
      what: "a track that is processed for a month",
      broken: `with j as (${job("created_at = now() - interval '30 days'")}) ${row("state = 'processing'")}`,
      mended: `with j as (${job("created_at = now()")}) ${row("state = 'finished'")}`,
    },
  ],
  I6: [
    {
      what: "a track's counter",
      broken: row("comment_count = comment_count + 1"),
      mended: row("comment_count = comment_count - 1"),
    },
    {
      what: "a user's counter",
      broken: "update users set followers_count = followers_count + 1 where id = $2",
      mended: "update users set followers_count = followers_count - 1 where id = $2",
    },
    {
      what: "what a counter is owed",
      broken: `insert into counter_deltas (kind, subject_id, counter, delta)
        values ('track', $1, 'favoritings_count', 1)`,
      mended: "delete from counter_deltas where subject_id = $1",
    },
  ],
  I7: [
    {
      what: "a lease long after its last heartbeat",
      broken: job("state = 'leased', lease_until = now() - interval '1 hour'"),
      mended: job("state = 'done', lease_until = null"),
    },
  ],
  I8: [
    {
      what: "an object that nobody references, a day later",
      does: () => put(MEDIA_BUCKET, "t/1/forgotten", new Uint8Array(1)),
      undoes: () => remove(MEDIA_BUCKET, "t/1/forgotten"),
      later: DAY_MS + 60_000,
    },
    {
      what: "media that will be deleted",
      broken: `insert into object_garbage select media_prefix, 'media', 'infinity' from tracks where id = $1`,
      mended: "delete from object_garbage where due_at = 'infinity'",
    },
  ],
  I9: [
    {
      what: "a second refresh token of a session",
      broken: `insert into refresh_tokens (hash, session_id, expires_at)
        select 'second', id, 'infinity' from sessions where user_id = $2 limit 1`,
      mended: "delete from refresh_tokens where hash = 'second'",
    },
    {
      what: "a refresh token that was made after the session's end",
      broken: "update sessions set revoked_at = created_at - interval '1 s' where user_id = $2",
      mended: "update sessions set revoked_at = null where user_id = $2",
    },
  ],
  I10: [
    {
      what: "two replies to one key",
      does: () => faulty.ledger.replies.push({ key: "k", reply: "1" }, { key: "k", reply: "2" }),
      undoes: () => faulty.ledger.replies.splice(0),
    },
    {
      what: "a key without an outcome",
      broken: `insert into idempotency_keys (key_hash, fingerprint, claim, expires_at)
        select '\\x00', '\\x00', gen_random_uuid(), now()`,
      mended: "delete from idempotency_keys where key_hash = '\\x00'",
    },
  ],
  I11: [
    {
      what: "51 tokens of an app in twelve hours",
      broken: `insert into client_credentials_grants (app_id, address, granted_at)
        select (select min(id) from apps), 'a' || n, now() - n * interval '14 minutes' from generate_series(1, 51) n`,
      mended: "delete from client_credentials_grants",
    },
    {
      what: "31 tokens of an address in an hour",
      broken: `insert into client_credentials_grants (app_id, address, granted_at)
        select (select min(id) from apps), 'a', now() - n * interval '1 minute' from generate_series(1, 31) n`,
      mended: "delete from client_credentials_grants",
    },
  ],
  I12: [
    {
      what: "audio that is another, as long as the first",
      does: () => put(UPLOADS_BUCKET, original, new Uint8Array(file.size)),
      undoes: async () => put(UPLOADS_BUCKET, original, new Uint8Array(await file.arrayBuffer())),
    },
    {
      what: "audio that was cut",
      broken: row("original_content_size = original_content_size + 1"),
      mended: row("original_content_size = original_content_size - 1"),
    },
  ],
  I13: [
    {
      what: "a deleted track that is still there",
      does: () => faulty.ledger.deleted.add(track),
      undoes: () => faulty.ledger.deleted.delete(track),
    },
    {
      what: "a track's row of the search without the track",
      broken:
        "insert into track_documents (id, user_id, listed, sharing, document) select $1 + 1, $2, true, 'public', ''",
      mended: "delete from track_documents where id = $1 + 1",
    },
  ],
  I14: [
    {
      what: "a track of an upload that was refused",
      does: async () => {
        const [upload] = await run("select id::text from uploads where track_id = $1", [track]);
        faulty.ledger.attempts.uploads.set(String(upload?.id), [503, 422]);
      },
      undoes: () => faulty.ledger.attempts.uploads.clear(),
    },
  ],
};

const namesOf = (broken: string[]) => broken.map((one) => one.slice(0, one.indexOf(",")));

test("the invariants I1 to I14 are checked, each by its number, and hold where nothing failed", async () => {
  const numbers = Array.from({ length: 14 }, (_, index) => `I${index + 1}`);
  expect(Object.keys(INVARIANTS)).toEqual(numbers);
  expect(Object.keys(BREACHES)).toEqual(numbers);
  expect(await brokenInvariantsOf(faulty)).toEqual([]);
});

const EACH = Object.entries(BREACHES).flatMap(([name, breaches]) =>
  breaches.map((breach) => [name, breach.what, breach] as const),
);

test.for(EACH)("%s is detected as broken: %s", async ([name, , breach]) => {
  const change = async (text = "select") =>
    run(text.replaceAll("$1", String(track)).replaceAll("$2", String(user)));
  await change(breach.broken);
  await breach.does?.();
  const broken = await brokenInvariantsOf(faulty, Date.now() + (breach.later ?? 0));
  await breach.undoes?.();
  await change(breach.mended);
  expect(namesOf(broken)).toContain(name);
  expect(await brokenInvariantsOf(faulty)).toEqual([]);
});
