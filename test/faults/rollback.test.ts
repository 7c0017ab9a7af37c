import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { sign } from "../../functions/lib/security/signing.ts";
import {
  BEAT,
  FINISHED,
  gateway,
  holdLease,
  jobOf,
  keys,
  LOST,
  leaseOf,
  report,
} from "../encoding/leases.support.ts";
import { api } from "../support/api.ts";
import { invariantsHoldAfterwards } from "../support/check-invariants.ts";
import { createUser, type Person } from "../support/people.ts";
import { deliver, sql } from "../support/stack.ts";
import { createReadyUpload, createTrack, shortWav, waitForEncode } from "../support/tracks.ts";

invariantsHoldAfterwards();

/** Fields of a newer release that this one does not know. */
const NEWS = { news: { of: ["a", "newer", "release"] }, stage: "decoding" };

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

test("reports of a newer transcoder are accepted and unknown fields ignored (F49)", async () => {
  const track = await createTrack(ana);
  const ticket = await holdLease(track);
  expect(await report(track.id, ticket, "heartbeat", { ...BEAT, ...NEWS })).toBe(200);
  expect(await jobOf(track.id)).toMatchObject({ segments: 2 });
  // An unknown kind of report is no verdict.
  expect(await report(track.id, ticket, "probed", NEWS)).toBe(404);
  await gateway(track.id, "outputs/preview.mp3", ticket, { method: "PUT", body: "x" });
  const newer = { ...FINISHED, ...NEWS, warnings: ["decode_errors", "a_newer_one"] };
  expect(await report(track.id, ticket, "finished", newer)).toBe(200);
  const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
  expect(body).toMatchObject({
    state: "finished",
    encoding: {
      warnings: [{ code: "decode_errors" }, { code: "a_newer_one", message: "The file may be damaged." }],
    },
  });
  const [row] = await sql("select media from tracks where id = $1", [track.id]);
  expect(JSON.stringify(row?.media)).not.toContain("newer release");
});

test("a failure reason known only to a newer release is still shown (F49)", async () => {
  const track = await createTrack(ana);
  const ticket = await holdLease(track);
  expect(
    await report(track.id, ticket, "failed", { ...LOST, ...NEWS, reason: "a_newer_one", retryable: false }),
  ).toBe(200);
  const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
  expect(body.encoding?.reason).toEqual({ code: "a_newer_one", message: "Encoding failed." });
});

test("a ticket with additional fields works; one of another form opens nothing (F49)", async () => {
  const track = await createTrack(ana);
  await holdLease(track);
  const expiresAtS = Math.floor(Date.now() / 1000) + 600;
  const ticketOf = (claims: unknown) => sign(keys, "ticket", JSON.stringify(claims));
  const newer = ticketOf([track.id, 1, leaseOf(track), expiresAtS, "pool-0", "more"]);
  expect(await report(track.id, newer, "heartbeat", BEAT)).toBe(200);
  for (const claims of [
    { track: track.id },
    [track.id, 1],
    [track.id, 1, leaseOf(track), expiresAtS],
    [String(track.id), 1, leaseOf(track), expiresAtS, "pool-0"],
    null,
  ])
    expect(await report(track.id, ticketOf(claims), "heartbeat", BEAT)).toBe(401);
  await sql("delete from tracks where id = $1", [track.id]);
});

test("messages of a newer release are understood (F49)", async () => {
  const upload = await createReadyUpload(ana, shortWav());
  const [row] = await sql("update uploads set status = 'aborted' where id = $1 returning object_key", [
    upload.id,
  ]);
  await sql("delete from object_garbage where prefix = $1", [row?.object_key]);
  const track = await createTrack(ana, {
    original_key: row?.object_key,
    original_content_size: upload.size,
  });
  await sql("update encoding_jobs set next_run_at = now(), dispatched_at = now() where track_id = $1", [
    track.id,
  ]);
  const outcome = await deliver("jobs", [{ body: { track: track.id, generation: 1, ...NEWS } }]);
  expect(outcome.explicitAcks).toHaveLength(1);
  expect(await waitForEncode(ana, track.id)).toMatchObject({ state: "finished", encoding: { attempts: 1 } });
});
