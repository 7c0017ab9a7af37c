import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { rolledUp } from "../api/plays/plays.support.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";

let owner: Person;

beforeAll(async () => {
  owner = await createUser();
});

const append = (track: number, counter: string, times: number) =>
  sql(
    `insert into counter_deltas (kind, subject_id, counter, delta)
     select 'track', $1, $2, 1 from generate_series(1, $3)`,
    [track, counter, times],
  );

test("pending counts of a busy track stay short under concurrent appends and keep their sum", async () => {
  const { id } = await createPlayableTrack(owner);
  const appended = Array.from({ length: 40 }, (_, n) =>
    append(id, n % 2 ? "playback_count" : "download_count", 50),
  );
  await Promise.all(appended);
  // Concurrent appends each merge only earlier rows. This one follows all of them.
  await append(id, "playback_count", 500);
  const [pending] = await sql<{ n: number }>(
    "select count(*)::int as n from counter_deltas where subject_id = $1",
    [id],
  );
  expect(pending?.n).toBeLessThan(1_000);
  const counted = async () => {
    const { body } = await api.as(owner).get<Track>(`/tracks/${id}`);
    return [body.playback_count, body.download_count];
  };
  expect(await counted()).toEqual([1_500, 1_000]);
  await rolledUp(id);
  expect(await counted()).toEqual([1_500, 1_000]);
});

test.each([
  ["track", "likes_count"],
  ["playlist", "playback_count"],
  ["user", "likes_count"],
  ["users", "followers_count"],
])("a %s has no pending %s, because its counters are known", async (kind, counter) => {
  const appended = sql(
    "insert into counter_deltas (kind, subject_id, counter, delta) values ($1, 1, $2, 1)",
    [kind, counter],
  );
  await expect(appended).rejects.toThrow("counter_deltas_counter");
});
