import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/tracks/representation.ts";
import { api } from "../support/api.ts";
import { type Person, someone } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { aPlayableTrack } from "../support/tracks.ts";
import { type Asking, aWord, listHref } from "./listing.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([someone(), someone()]);
});

/** The list's only track, and the same asked for alone. */
async function both(who: Asking, genre: string): Promise<[Track | undefined, Track | undefined]> {
  const [listed] = (await api.as(who).get<Track[]>(listHref({ genres: genre }))).body;
  const { body } = await api.as(who).get<Track>(`/tracks/${listed?.id}`);
  return [listed, body];
}

test("a list shows each track as it is now, for whoever asks, however often it was listed", async () => {
  const [genre, title, name] = [aWord(), aWord(), aWord()];
  const label = await someone();
  const { id } = await aPlayableTrack(owner, { genre, label_id: label.id });
  const changes: [string, unknown[]][] = [
    ["select $1::bigint", [id]],
    ["update tracks set title = $2 where id = $1", [id, title]],
    ["update users set username = $2 where id = $1", [owner.id, name]],
    ["update users set avatar_version = $2 where id = $1", [label.id, "v2"]],
    [
      "insert into counter_deltas (kind, subject_id, counter, delta) values ('track', $1, 'playback_count', 3)",
      [id],
    ],
    ["insert into favorites (track_id, user_id) values ($1, $2)", [id, other.id]],
    ["delete from favorites where track_id = $1 and user_id = $2", [id, other.id]],
    ["update tracks set streamable = false where id = $1", [id]],
    ["update tracks set app_id = $2 where id = $1", [id, owner.app.id]],
    ["update apps set name = $2 where id = $1", [owner.app.id, "Renamed"]],
  ];
  for (const [change, values] of changes) {
    await sql(change, values);
    for (const who of [other, owner, other, label]) {
      const [listed, alone] = await both(who, genre);
      expect(listed, change).toEqual(alone);
      expect(listed?.id).toBe(id);
    }
  }
});

test("what one reader was shown is not what another is", async () => {
  const genre = aWord();
  const { id } = await aPlayableTrack(owner, { genre, paywall: "preview" });
  const payer = await someone({ plan: "artist" });
  await sql("insert into favorites (track_id, user_id) values ($1, $2)", [id, payer.id]);
  for (let round = 0; round < 2; round++) {
    const shown = await Promise.all([other, payer, owner].map(async (who) => (await both(who, genre))[0]));
    expect(
      shown.map((track) => [track?.access, track?.user_favorite, track?.secret_token !== undefined]),
    ).toEqual([
      ["preview", false, false],
      ["playable", true, false],
      ["playable", false, true],
    ]);
  }
});
