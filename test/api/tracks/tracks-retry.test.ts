import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { BEAT, FINISHED, holdLease, jobOf, LOST, report } from "../../encoding/leases.support.ts";
import { api } from "../../support/api.ts";
import { brokenInvariants } from "../../support/check-invariants.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createReadyUpload,
  createTrack,
  shortWav,
  waitForEncode,
} from "../../support/tracks.ts";
import { row as uploadRow } from "../uploads/uploads.support.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

const retry = (who: { token: string }, { id }: { id: number }) =>
  api.as(who).post<Track>(`/tracks/${id}/retry`);

/** A track that failed for our reasons. */
async function createLostTrack(columns: Record<string, unknown> = {}) {
  const track = await createTrack(owner, { state: "failed", ...columns });
  await sql(
    `update encoding_jobs set failure_reason = 'stalled', failure_retryable = true, attempt = 5, finished_at = now()
     where track_id = $1`,
    [track.id],
  );
  return track;
}

test("a track that failed for our reasons is encoded again on request", async () => {
  const upload = await createReadyUpload(owner, shortWav());
  const { key } = await uploadRow(upload);
  const track = await createLostTrack({ original_key: key, original_content_size: upload.size });
  const reply = await retry(owner, track);
  expect([reply.status, reply.body.state]).toEqual([200, "processing"]);
  expect(reply.body.encoding).toMatchObject({ progress: 0, reason: null, attempts: 0, finished_at: null });
  expect(reply.headers.get("Server-Timing")).toContain("queries: 1");
  expect(await waitForEncode(owner, track.id)).toMatchObject({
    state: "finished",
    encoding: { attempts: 1 },
  });
  expect(await jobOf(track.id)).toMatchObject({ generation: 2, job: "done" });
  expect((await retry(owner, track)).status).toBe(409);
  await api.as(owner).delete(`/tracks/${track.id}`);
});

test("one of many concurrent requests is accepted", async () => {
  // Without its file the encode would have failed again before the last request.
  const upload = await createReadyUpload(owner, shortWav());
  const { key } = await uploadRow(upload);
  const track = await createLostTrack({ original_key: key, original_content_size: upload.size });
  const replies = await Promise.all(Array.from({ length: 10 }, () => retry(owner, track)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(await jobOf(track.id)).toMatchObject({ generation: 2 });
});

test("reports of the earlier encode are ignored, during the next one and after it", async () => {
  const upload = await createReadyUpload(owner, shortWav());
  const { key } = await uploadRow(upload);
  const track = await createTrack(owner, { original_key: key, original_content_size: upload.size });
  const ticket = await holdLease(track, { attempt: 5 });
  expect(await report(track.id, ticket, "failed", LOST)).toBe(200);
  expect(await jobOf(track.id)).toMatchObject({ state: "failed", job: "failed", reason: "stalled" });
  await retry(owner, track);
  const reportAgain = async () => {
    for (const [kind, body] of [
      ["heartbeat", BEAT],
      ["finished", FINISHED],
      ["failed", LOST],
    ] as const)
      expect(await report(track.id, ticket, kind, body)).toBe(409);
  };
  await reportAgain();
  expect((await waitForEncode(owner, track.id)).state).toBe("finished");
  await reportAgain();
  expect((await api.as(owner).get<Track>(`/tracks/${track.id}`)).body.state).toBe("finished");
  await api.as(owner).delete(`/tracks/${track.id}`);
});

test("a retry is refused if the file was the cause or nothing failed", async () => {
  const unreadable = await createTrack(owner, { state: "failed" });
  expect((await retry(owner, unreadable)).status).toBe(422);
  expect((await retry(owner, await createTrack(owner))).status).toBe(409);
  expect((await retry(owner, await createPlayableTrack(owner))).status).toBe(409);
  expect(await jobOf(unreadable.id)).toMatchObject({ state: "failed", generation: 1, reason: "undecodable" });
});

test("only the owner may request it (X5)", async () => {
  const [seen, unseen] = [await createLostTrack(), await createLostTrack({ sharing: "private" })];
  expect((await retry(other, seen)).status).toBe(403);
  expect((await retry(other, unseen)).status).toBe(404);
  expect((await retry(await createAppToken(), seen)).status).toBe(401);
  expect(await jobOf(seen.id)).toMatchObject({ state: "failed", generation: 1 });
});

test("the invariants hold after these tests", async () => {
  expect(await brokenInvariants([other.id])).toEqual([]);
});
