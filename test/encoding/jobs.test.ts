import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { brokenInvariants } from "../support/check-invariants.ts";
import { createUser, type Person } from "../support/people.ts";
import { deliver, sql, workerLog } from "../support/stack.ts";
import { createReadyUpload, createTrack, shortWav, uploadTrack, waitForEncode } from "../support/tracks.ts";
import { jobOf, reconcile } from "./leases.support.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

describe("messages", () => {
  test("delivered twenty times finish their job once (F32, F36)", async () => {
    const track = await uploadTrack(ana, shortWav(10));
    const message = { body: { track: track.id, generation: 1 } };
    const again = () =>
      deliver(
        "jobs",
        Array.from({ length: 10 }, () => message),
      );
    const during = await again();
    expect(during.retryMessages).toEqual([]);
    const encodedTrack = await waitForEncode(ana, track.id);
    expect(encodedTrack).toMatchObject({
      state: "finished",
      encoding: { progress: 1, attempts: 1, reason: null },
    });
    const after = await again();
    expect(after.explicitAcks).toHaveLength(10);
    expect(await jobOf(track.id)).toMatchObject({ state: "finished", job: "done", attempt: 1 });
    await expect
      .poll(() => workerLog().filter((line) => line.event === "job_finished" && line.track === track.id))
      .toHaveLength(1);
  });

  test("that are malformed or for unknown jobs are acknowledged and delay nobody (F45)", async () => {
    const bodies = [
      null,
      "x",
      1,
      [],
      {},
      { track: 1 },
      { track: "1", generation: 1 },
      { track: -1, generation: 1 },
      { track: 1.5, generation: 1 },
      { track: 2 ** 52, generation: 1 },
    ];
    for (const queue of ["jobs", "dead-letters"]) {
      const outcome = await deliver(
        queue,
        bodies.map((body) => ({ body })),
      );
      expect([outcome.outcome, outcome.explicitAcks.length, outcome.retryMessages]).toEqual([
        "ok",
        bodies.length,
        [],
      ]);
    }
  });

  test("that were lost are sent again (F30, F31, F34)", async () => {
    const unsent = async (dispatched: string) => {
      const upload = await createReadyUpload(ana, shortWav());
      // At once, or a sweep might delete the file.
      await sql(
        `update uploads set status = 'aborted' where id = ${upload.id};
         delete from object_garbage g using uploads u where g.prefix = u.object_key and u.id = ${upload.id}`,
      );
      const [row] = await sql("select object_key from uploads where id = $1", [upload.id]);
      const track = await createTrack(ana, {
        original_key: row?.object_key,
        original_content_size: upload.size,
      });
      await sql(
        `update encoding_jobs set next_run_at = now(), dispatched_at = ${dispatched} where track_id = $1`,
        [track.id],
      );
      return track;
    };
    const tracks = [await unsent("null"), await unsent("now() - interval '61 s'")];
    await reconcile();
    for (const { id } of tracks) expect((await waitForEncode(ana, id)).state).toBe("finished");
  });

  test("a dead letter counts as an attempt, and the fifth is the last (F47)", async () => {
    const track = await createTrack(ana);
    const bury = (generation: number) => deliver("dead-letters", [{ body: { track: track.id, generation } }]);
    await bury(2);
    expect(await jobOf(track.id)).toMatchObject({ job: "queued", attempt: 0 });
    for (let attempt = 1; attempt <= 4; attempt++) {
      await bury(1);
      expect(await jobOf(track.id)).toMatchObject({ state: "processing", job: "queued", attempt });
    }
    await bury(1);
    expect(await jobOf(track.id)).toMatchObject({ state: "failed", job: "failed", attempt: 5 });
    const { body } = await api.as(ana).get<Track>(`/tracks/${track.id}`);
    expect(body.encoding?.reason).toEqual({ code: "gave_up", message: expect.any(String) });
    await bury(1);
    expect(await jobOf(track.id)).toMatchObject({ attempt: 5 });
  });

  test("more jobs than the transcoder has room for all finish without losing an attempt (F43)", async () => {
    const tracks = await Promise.all([1, 2, 3].map(() => uploadTrack(ana, shortWav(10))));
    for (const { id } of tracks) {
      const { state, encoding } = await waitForEncode(ana, id);
      const troubles = workerLog().filter((line) => line.track === id && line.level !== "info");
      expect([state, encoding?.attempts, troubles]).toEqual(["finished", 1, []]);
    }
  });
});

test("the invariants hold after these tests", async () => {
  await sql(
    "delete from tracks t using encoding_jobs j where j.track_id = t.id and t.user_id = $1 and not isfinite(j.next_run_at) and j.state in ('queued', 'leased') returning t.id",
    [ana.id],
  );
  expect(await brokenInvariants([ana.id])).toEqual([]);
});
