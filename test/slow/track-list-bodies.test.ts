import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { type Asking, listHref, uniqueWord } from "../api/tracks/lists.support.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

const listedFor = async (who: Asking, genre: string) =>
  (await api.as(who).get<Track[]>(listHref({ genres: genre }))).body[0];

const aloneFor = async (who: Asking, id?: number) => (await api.as(who).get<Track>(`/tracks/${id}`)).body;

/** The list's only track and the same track alone, twice. */
async function both(who: Asking, genre: string): Promise<[Track | undefined, Track | undefined]> {
  const listed = await listedFor(who, genre);
  const alone = await aloneFor(who, listed?.id);
  expect(await aloneFor(who, listed?.id)).toEqual(alone);
  return [listed, alone];
}

test.for(["listed", "alone"])(
  "a track has its current form %s, the same for each viewer in a list and alone, cached or not",
  async (way) => {
    const [genre, title, name, appName] = [uniqueWord(), uniqueWord(), uniqueWord(), uniqueWord()];
    const label = await createUser();
    const { id } = await createPlayableTrack(owner, { genre, label_id: label.id });
    const changes: [string, unknown[], object][] = [
      ["select $1::bigint", [id], { id, playback_count: 0, user_favorite: false, access: "playable" }],
      ["update tracks set title = $2 where id = $1", [id, title], { title }],
      ["update users set username = $2 where id = $1", [owner.id, name], { user: { username: name } }],
      [
        "update users set avatar_version = $2 where id = $1",
        [label.id, "v2"],
        { label: { avatar_url: expect.stringContaining("/images/v2-") } },
      ],
      [
        "insert into counter_deltas (kind, subject_id, counter, delta) values ('track', $1, 'playback_count', 3)",
        [id],
        { playback_count: 3 },
      ],
      [
        "insert into favorites (track_id, user_id) values ($1, $2)",
        [id, other.id],
        { user_favorite: true, favoritings_count: 1 },
      ],
      [
        "delete from favorites where track_id = $1 and user_id = $2",
        [id, other.id],
        { user_favorite: false, favoritings_count: 0 },
      ],
      ["update tracks set streamable = false where id = $1", [id], { access: "blocked" }],
      [
        "update tracks set app_id = $2 where id = $1",
        [id, owner.app.id],
        { created_with: { id: owner.app.id } },
      ],
      [
        "update apps set name = $2 where id = $1",
        [owner.app.id, appName],
        { created_with: { name: appName } },
      ],
    ];
    const read = () => (way === "listed" ? listedFor(other, genre) : aloneFor(other, id));
    for (const [change, values, shown] of changes) {
      // Each way has a version of its own, so that of the other one would renew the cache.
      await read();
      await sql(change, values);
      expect(await read(), change).toMatchObject(shown);
      for (const who of [other, owner, other, label]) {
        const [listed, alone] = await both(who, genre);
        expect(listed, change).toEqual(alone);
        if (who === other) expect(alone, change).toMatchObject(shown);
      }
    }
  },
);

test("a cached track stays hidden from those who may not see it now", async () => {
  const reader = await createUser();
  const { id, secret } = await createPlayableTrack(owner);
  const asked = async (query = "") => (await api.as(reader).get<unknown>(`/tracks/${id}${query}`)).status;
  const statuses = [await asked()];
  await sql("update tracks set sharing = 'private' where id = $1", [id]);
  statuses.push(await asked(), await asked(`?secret_token=${secret}`), await asked("?secret_token=s-other"));
  await sql("update tracks set sharing = 'public' where id = $1", [id]);
  statuses.push(await asked());
  await sql("update sessions set revoked_at = now() where user_id = $1", [reader.id]);
  statuses.push(await asked());
  expect(statuses).toEqual([200, 404, 200, 404, 200, 401]);
});

test("each viewer gets their own view of a cached track", async () => {
  const genre = uniqueWord();
  const { id } = await createPlayableTrack(owner, { genre, paywall: "preview" });
  const payer = await createUser({ plan: "artist" });
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
