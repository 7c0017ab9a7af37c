import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../../db/client.ts";
import { dropFailedOriginals, dropIdleOriginals } from "../../../db/queries/originals.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { mailTo, sendMailsTo } from "../../support/browser.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createRetryableTrack,
  createTrack,
  s3,
  uploadFinishedTrack,
  uploadTrack,
  waitForEncode,
  words,
} from "../../support/tracks.ts";

/** Number of files that storage has of a track's original. */
async function originalsOf({ id }: Pick<Track, "id">): Promise<number> {
  const [row] = await sql<{ key: string }>("select original_key as key from tracks where id = $1", [id]);
  const asked = { Bucket: UPLOADS_BUCKET, Prefix: row?.key };
  return (await s3.send(new ListObjectsV2Command(asked))).KeyCount ?? 0;
}

async function sweep(): Promise<void> {
  await runCron("*/5 * * * *");
}

/** The sweep has queued the mail. */
async function mailed(email: string, subject: string, words: string): Promise<void> {
  await sendMailsTo(email);
  expect(await mailTo(email, subject)).toMatchObject({ subject, text: expect.stringContaining(words) });
}

const age = ({ id }: Pick<Track, "id">, days: number) =>
  sql(
    `with job as (update encoding_jobs set finished_at = now() - make_interval(days => $2) where track_id = $1)
     update tracks set updated_at = now() - make_interval(days => $2) where id = $1`,
    [id, days],
  );

async function takenDown<Row extends { id: number }>(track: Row): Promise<Row> {
  await operate("track take-down", "--track", String(track.id), "--reason", "A claim");
  return track;
}

const isDropped = async ({ id }: { id: number }) =>
  (await sql("select from tracks where id = $1 and original_deleted_at is not null", [id])).length > 0;

describe("the original of a track that failed", () => {
  test("is kept for 30 days, then deleted once unless it was taken down, and its owner gets a mail", async () => {
    const person = await createUser();
    const [account] = await sql<{ email: string }>("select email from accounts where user_id = $1", [
      person.id,
    ]);
    const email = account?.email ?? "";
    const failed = await waitForEncode(person, (await uploadTrack(person, words())).id);
    expect(failed.state).toBe("failed");
    // Without the original it would be tried in vain.
    await sql("update encoding_jobs set failure_retryable = true where track_id = $1", [failed.id]);
    const down = await takenDown(await createRetryableTrack(person));
    await age(down, 31);
    await age(failed, 29);
    await sweep();
    expect(await originalsOf(failed)).toBe(1);
    await age(failed, 31);
    await expect
      .poll(async () => {
        await sweep();
        return originalsOf(failed);
      })
      .toBe(0);
    expect(await isDropped(down)).toBe(false);
    await mailed(email, "The file of a failed track was deleted", "for 30 days");
    const { body } = await api.as(person).get<Track>(`/tracks/${failed.id}`);
    expect(body).toMatchObject({
      state: "failed",
      original_deleted_at: expect.any(String),
      encoding: { reason: { code: "original_deleted" } },
    });
    const retried = await api.as(person).post(`/tracks/${failed.id}/retry`);
    expect(retried.status).toBe(422);
    await sweep();
    const mails = await sql("select from mails where recipient = $1 and kind = 'original-deleted'", [email]);
    expect(mails).toEqual([]);
    await api.as(person).delete(`/tracks/${failed.id}`);
  });
});

test("files of several failed tracks that are deleted together make one mail", async () => {
  const person = await createUser();
  const ids: number[] = [];
  for (let made = 0; made < 3; made++) ids.push((await createTrack(person, { state: "failed" })).id);
  // At once, because another file may sweep at any time.
  await sql("update encoding_jobs set finished_at = now() - interval '31 days' where track_id = any ($1)", [
    ids,
  ]);
  await sweep();
  const email = `${person.username}@example.com`;
  await mailed(email, "The files of 3 failed tracks were deleted", "3 of your tracks");
});

const HOLD_JOB = "select from encoding_jobs where track_id = $1 for update";

const db = () => openDatabase({ DATABASE_URL: stack.appDatabaseUrl, DATABASE_PROXY_URL: stack.proxyUrl });

test("the original of a failed track that is tried again at the same moment is kept", async () => {
  const track = await createRetryableTrack(await createUser());
  await age(track, 31);
  const retry = "update tracks set state = 'processing' where id = $1";
  await askDuring(HOLD_JOB, [track.id], () => dropFailedOriginals(db(), 100), [retry, [track.id]]);
  expect(await isDropped(track)).toBe(false);
});

describe("RETENTION=downloadable", () => {
  let ana: Person;
  let song: Track;
  const dropIdle = () => dropIdleOriginals(db(), 100);

  beforeAll(async () => {
    ana = await createUser();
    song = await uploadFinishedTrack(ana);
  });

  test("keeps originals that others may download, that changed within 30 days, or that were taken down", async () => {
    const open = await uploadFinishedTrack(ana, { downloadable: true });
    const down = await takenDown(await createPlayableTrack(await createUser()));
    for (const track of [open, down]) await age(track, 31);
    await age(song, 29);
    await dropIdle();
    expect(await isDropped(down)).toBe(false);
    for (const track of [open, song])
      expect((await api.as(ana).get(`/tracks/${track.id}/download`)).status).toBe(302);
  });

  test.each([
    ["is taken down", "taken_down_at = now(), sharing = 'private'"],
    ["is opened for downloads", "downloadable = true"],
  ])("keeps that of a track that %s at the same moment", async (_what, change) => {
    const track = await createPlayableTrack(await createUser());
    await age(track, 31);
    await askDuring(HOLD_JOB, [track.id], dropIdle, [
      `update tracks set ${change} where id = $1`,
      [track.id],
    ]);
    expect(await isDropped(track)).toBe(false);
  });

  test("deletes all others, whose tracks play on, and whose owners cannot open them for downloads", async () => {
    await age(song, 31);
    expect(await dropIdle()).toBeGreaterThanOrEqual(1);
    expect(await dropIdle()).toBe(0);
    // Nothing failed, and nobody has changed the track.
    const [untouched] = await sql(
      `select j.failure_reason as reason, t.updated_at < now() - interval '30 days' as unchanged
       from tracks t join encoding_jobs j on j.track_id = t.id where t.id = $1`,
      [song.id],
    );
    expect(untouched).toEqual({ reason: null, unchanged: true });
    expect((await api.as(ana).get(`/tracks/${song.id}/download`)).status).toBe(404);
    const streams = await api.as(ana).get<Streams>(`/tracks/${song.id}/streams`);
    expect((await fetch(streams.body.http_mp3_128_url ?? "")).status).toBe(200);
    const open = await api
      .as(ana)
      .put<ErrorReply>(`/tracks/${song.id}`, { json: { track: { downloadable: true } } });
    expect([open.status, JSON.stringify(open.body)]).toEqual([422, expect.stringContaining("downloadable")]);
    const renamed = await api
      .as(ana)
      .put<Track>(`/tracks/${song.id}`, { json: { track: { title: "Another", downloadable: false } } });
    expect(renamed.body).toMatchObject({ title: "Another", original_deleted_at: expect.any(String) });
    const seen = await api.as(await createUser()).get<Track>(`/tracks/${song.id}`);
    expect(seen.body).not.toHaveProperty("original_deleted_at");
    const [counted] = await sql<{ objects: number }>(
      "select count(*)::int as objects from stored_objects where user_id = $1 and kind = 'original'",
      [ana.id],
    );
    expect(counted?.objects).toBe(1);
  });
});
