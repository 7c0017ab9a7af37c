import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { brokenInvariants } from "../support/check-invariants.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql, workerLog } from "../support/stack.ts";
import { createTrack, streamsOf } from "../support/tracks.ts";
import {
  BEAT,
  databaseTime,
  endExpired,
  FINISHED,
  gateway,
  holdLease,
  jobOf,
  LOST,
  park,
  report,
  reportAll,
} from "./leases.support.ts";
import { keysUnder, swept } from "./sweep.support.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

describe("leases", () => {
  test("that expire send the job again later, and the fifth time the track fails (F35, F37, X59)", async () => {
    const track = await createTrack(ana);
    for (let attempt = 1; attempt <= 5; attempt++) {
      const before = await databaseTime();
      await holdLease(track, { attempt, seconds: -1 });
      await endExpired(track);
      const after = await databaseTime();
      const job = await jobOf(track.id);
      await park(track.id);
      const expected =
        attempt < 5 ? { state: "processing", job: "queued" } : { state: "failed", job: "failed" };
      expect(job).toMatchObject({ ...expected, attempt, reason: "lost" });
      const backoff = 5 * 4 ** (attempt - 1);
      if (attempt < 5) expect(job?.dueAt).toBeGreaterThanOrEqual(before + backoff);
      if (attempt < 5) expect(job?.dueAt).toBeLessThan(after + backoff * 1.2);
    }
    const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
    expect(body).toMatchObject({ state: "failed", encoding: { attempts: 5, reason: { code: "lost" } } });
    expect(body.encoding?.finished_at).not.toBeNull();
  });

  test("are extended by heartbeats, and progress never decreases", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track, { seconds: 20 });
    const before = await databaseTime();
    expect(await report(track.id, ticket, "heartbeat", { ...BEAT, progress: 0.6, segments_ready: 4 })).toBe(
      200,
    );
    expect(await report(track.id, ticket, "heartbeat", { ...BEAT, progress: 0.2, segments_ready: 1 })).toBe(
      200,
    );
    const job = await jobOf(track.id);
    expect((job?.lease ?? 0) + (await databaseTime()) - before).toBeGreaterThan(50);
    expect([job?.progress, job?.segments]).toEqual([expect.closeTo(0.6, 5), 4]);
    const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
    expect(body.encoding).toMatchObject({ progress: expect.closeTo(0.6, 5), attempts: 1, finished_at: null });
    await sql("delete from tracks where id = $1", [track.id]);
  });

  test("reach progress 1 with finished, not before, whatever a heartbeat says", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    expect(await report(track.id, ticket, "heartbeat", { ...BEAT, progress: 1, segments_ready: 9 })).toBe(
      200,
    );
    const progress = async () =>
      (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body.encoding?.progress ?? Number.NaN;
    expect(await progress()).toBeGreaterThan(0.99);
    expect(await progress()).toBeLessThan(1);
    expect(
      await gateway(track.id, "outputs/preview.mp3", ticket, { method: "PUT", body: "x" }),
    ).toMatchObject({ status: 200 });
    expect(await report(track.id, ticket, "finished", FINISHED)).toBe(200);
    expect(await progress()).toBe(1);
  });

  test("once lost allow no change (F41)", async () => {
    const track = await createTrack(ana);
    const late = await holdLease(track);
    const current = randomUUID();
    const ticket = await holdLease(track, { attempt: 2, lease: current });
    const before = await jobOf(track.id);
    expect(await reportAll(track.id, late)).toEqual([409, 409]);
    expect(await report(track.id, late, "failed", { ...LOST, retryable: false })).toBe(409);
    expect((await gateway(track.id, "source", late)).status).toBe(410);
    expect(await jobOf(track.id)).toMatchObject({ ...before, lease: expect.any(Number) });
    // An expired lease counts as lost even if nobody took it.
    await sql("update encoding_jobs set lease_until = now() - interval '1 s' where track_id = $1", [
      track.id,
    ]);
    await endExpired(track);
    await park(track.id);
    expect(await reportAll(track.id, ticket)).toEqual([409, 409]);
    expect(await report(track.id, ticket, "failed", { ...LOST, retryable: false })).toBe(409);
    expect(await jobOf(track.id)).toMatchObject({
      state: "processing",
      job: "queued",
      attempt: 2,
      reason: "lost",
    });
    await sql("delete from tracks where id = $1", [track.id]);
  });
});

describe("reports", () => {
  test("finish a job once even if repeated, and later ones change nothing", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    const put = await gateway(track.id, "outputs/preview.mp3", ticket, {
      method: "PUT",
      body: randomBytes(700),
    });
    expect(put.status).toBe(200);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => report(track.id, ticket, "finished", FINISHED)),
    );
    expect(replies).toEqual([200, 200, 200, 200, 200]);
    expect(await report(track.id, ticket, "failed", { ...LOST, retryable: false })).toBe(409);
    expect(await report(track.id, ticket, "heartbeat", BEAT)).toBe(409);
    const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
    expect(body).toMatchObject({
      state: "finished",
      duration: 10_000,
      original_format: "wav",
      encoding: { progress: 1, reason: null },
    });
    expect(await sql("select 1 from object_garbage where prefix = $1", [track.prefix])).toEqual([]);
    const preview = await fetch((await streamsOf(ana, track.id)).preview_mp3_128_url ?? "");
    expect((await preview.arrayBuffer()).byteLength).toBe(700);
  });

  test("that repeat a failure after a lost reply are accepted and change nothing", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    expect(await report(track.id, ticket, "failed", LOST)).toBe(200);
    await park(track.id);
    const before = await jobOf(track.id);
    expect(await report(track.id, ticket, "failed", { ...LOST, reason: "killed" })).toBe(200);
    expect(await reportAll(track.id, ticket)).toEqual([409, 409]);
    expect(await jobOf(track.id)).toEqual(before);
    await holdLease(track, { attempt: 2, lease: randomUUID() });
    expect(await report(track.id, ticket, "failed", LOST)).toBe(409);
    await sql("delete from tracks where id = $1", [track.id]);
  });

  test("of a full disk count as no attempt: the job waits half a minute", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track, { attempt: 5 });
    const before = await databaseTime();
    const body = JSON.stringify({ ...LOST, reason: "no_space", next: true });
    const reply = await gateway(track.id, "report/failed", ticket, { method: "POST", body });
    const job = await jobOf(track.id);
    await park(track.id);
    expect([reply.status, await reply.json()]).toEqual([200, {}]);
    expect(job).toMatchObject({ state: "processing", job: "queued", attempt: 4, reason: "no_space" });
    expect(job?.dueAt).toBeGreaterThanOrEqual(before + 30);
    expect(job?.dueAt).toBeLessThan((await databaseTime()) + 36);
    await expect
      .poll(() => workerLog().filter((line) => line.event === "storage_full" && line.track === track.id))
      .toMatchObject([{ level: "error", advice: expect.stringContaining("Make room") }]);
    await sql("delete from tracks where id = $1", [track.id]);
  });

  test("that a job failed cause a retry if it may help; otherwise the owner alone learns the reason", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    const before = await databaseTime();
    expect(await report(track.id, ticket, "failed", LOST)).toBe(200);
    const waiting = await jobOf(track.id);
    await park(track.id);
    expect(waiting).toMatchObject({ state: "processing", job: "queued", attempt: 1, reason: "stalled" });
    expect(waiting?.dueAt).toBeGreaterThanOrEqual(before + 5);
    const again = await holdLease(track, { attempt: 2 });
    expect(
      await report(track.id, again, "failed", {
        reason: "undecodable",
        retryable: false,
        detail: "/tmp/secret/path",
      }),
    ).toBe(200);
    expect(await jobOf(track.id)).toMatchObject({
      state: "failed",
      job: "failed",
      attempt: 2,
      reason: "undecodable",
    });
    const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
    expect(body.encoding?.reason).toEqual({
      code: "undecodable",
      message: expect.stringMatching(/^[A-Z].*\.$/),
    });
    expect(JSON.stringify(body)).not.toContain("/tmp/secret");
  });

  test.for<[string, string, unknown]>([
    ["no JSON", "heartbeat", "{"],
    ["an empty one", "finished", {}],
    ["progress above one", "heartbeat", { ...BEAT, progress: 2 }],
    ["no sample rate", "heartbeat", { progress: 0.5, segments_ready: 2 }],
    ["a sample rate that no output has", "heartbeat", { ...BEAT, sample_rate: 8_000 }],
    ["more segments than the longest track's", "heartbeat", { ...BEAT, segments_ready: 1e6 }],
    ["a negative length", "finished", { ...FINISHED, duration_ms: -1 }],
    ["a length of nothing", "finished", { ...FINISHED, duration_ms: 0 }],
    ["a reason that is no code", "failed", { reason: "../x", retryable: true }],
    ["a list", "failed", []],
  ])("that are malformed change nothing: %s", async ([, kind, body]) => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    expect(await report(track.id, ticket, kind, body)).toBe(422);
    expect(await jobOf(track.id)).toMatchObject({ state: "processing", job: "leased", progress: 0 });
    await sql("delete from tracks where id = $1", [track.id]);
  });

  test("are refused for a deleted track, of which nothing remains (F53)", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    const put = await gateway(track.id, "outputs/preview.mp3", ticket, { method: "PUT", body: "x" });
    expect(put.status).toBe(200);
    await sql("delete from tracks where id = $1", [track.id]);
    expect(await reportAll(track.id, ticket)).toEqual([409, 409]);
    expect(await report(track.id, ticket, "failed", LOST)).toBe(409);
    expect((await gateway(track.id, "source", ticket)).status).toBe(410);
    expect(await jobOf(track.id)).toBeUndefined();
    await sql("update object_garbage set due_at = now() where prefix = $1", [track.prefix]);
    await swept(() => keysUnder("media", track.prefix)).toEqual([]);
    expect((await api.as(ana).get(`/tracks/${track.id}`)).status).toBe(404);
  });
});

test("the invariants hold after these tests", async () => {
  await sql(
    "delete from tracks t using encoding_jobs j where j.track_id = t.id and t.user_id = $1 and not isfinite(j.next_run_at) and j.state in ('queued', 'leased') returning t.id",
    [ana.id],
  );
  expect(await brokenInvariants([ana.id])).toEqual([]);
});
