import { describe, expect, test } from "vitest";
import type { BulkReply } from "../../../functions/api/tracks/bulk-input.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

const change = (who: Person, json: object) => api.as(who).put<BulkReply & ErrorReply>("/me/tracks", { json });
const remove = (who: Person, ids: unknown) =>
  api.as(who).delete<BulkReply & ErrorReply>(`/me/tracks?ids=${ids}`);
const read = async (who: Person, id: number) => (await api.as(who).get<Track>(`/tracks/${id}`)).body;

async function meet() {
  const [ana, bob] = await Promise.all([createUser(), createUser()]);
  const one = await createPlayableTrack(ana, { title: "One", sharing: "private" });
  const two = await createPlayableTrack(ana, { title: "Two", sharing: "private" });
  const others = await createPlayableTrack(bob, { title: "Bob's" });
  return { ana, bob, one: one.id, two: two.id, others: others.id };
}

describe("several tracks", () => {
  test("are changed at once; one that is not yours, taken down or unknown is refused by its title", async () => {
    const { ana, bob, one, two, others } = await meet();
    await sql("update tracks set taken_down_at = now() where id = $1", [two]);
    const { status, body } = await change(ana, {
      ids: [one, two, others, one, 17],
      track: { genre: "Folk", sharing: "public", downloadable: true },
    });
    expect([status, body]).toEqual([
      200,
      {
        done: [one],
        refused: [
          {
            id: two,
            title: "Two",
            error_message: "track[sharing]: the track was taken down, so it cannot be made public",
          },
          { id: others, title: null, error_message: expect.stringContaining("another user's") },
          { id: 17, title: null, error_message: expect.any(String) },
        ],
      },
    ]);
    expect(await read(ana, one)).toMatchObject({ genre: "Folk", sharing: "public", downloadable: true });
    expect(await read(ana, two)).toMatchObject({ genre: null, sharing: "private" });
    expect((await read(bob, others)).genre).toBeNull();
  });

  test("gain and lose tags, each its own others", async () => {
    const { ana, one, two } = await meet();
    await api.as(ana).put(`/tracks/${one}`, { json: { track: { tag_list: 'demo "night drive" rock' } } });
    await api.as(ana).put(`/tracks/${two}`, { json: { track: { tag_list: "DEMO live" } } });
    const json = { ids: [one, two], add_tags: 'live "deep house"', remove_tags: "Demo rock" };
    expect((await change(ana, json)).body).toEqual({ done: [one, two], refused: [] });
    expect((await read(ana, one)).tag_list).toBe('"night drive" live "deep house"');
    expect((await read(ana, two)).tag_list).toBe('live "deep house"');
  });

  test("keep their tags where more do not fit, while the others gain them", async () => {
    const { ana, one, two } = await meet();
    const tag_list = Array.from({ length: 100 }, (_, at) => `t${at}`).join(" ");
    await api.as(ana).put(`/tracks/${one}`, { json: { track: { tag_list } } });
    const { body } = await change(ana, { ids: [one, two], add_tags: "new" });
    expect([body.done, body.refused.map(({ title }) => title)]).toEqual([[two], ["One"]]);
    expect((await read(ana, one)).tag_list).toBe(tag_list);
  });

  test("are deleted at once, and another user's stays", async () => {
    const { ana, bob, one, two, others } = await meet();
    const { status, body } = await remove(ana, [one, others, two]);
    expect([status, body.done.sort()]).toEqual([200, [one, two].sort()]);
    expect(body.refused).toMatchObject([{ id: others, title: null }]);
    for (const id of [one, two]) expect((await api.as(ana).get(`/tracks/${id}`)).status).toBe(404);
    expect((await read(bob, others)).title).toBe("Bob's");
    expect((await remove(ana, one)).body).toMatchObject({ done: [], refused: [{ id: one }] });
  });

  test("are locked in one order: a play of both at the same moment waits, and no deadlock ends either", async () => {
    const { ana, one, two } = await meet();
    const lock = "select from tracks where id = $1 for key share";
    const json = { ids: [two, one], track: { sharing: "public" } };
    const { body } = await askDuring(lock, [one], () => change(ana, json), [lock, [two]]);
    expect(body.done).toEqual([two, one]);
    const [first, second] = await Promise.all([createPlayableTrack(ana), createPlayableTrack(ana)]);
    const low = first.id < second.id ? first : second;
    const high = low === first ? second : first;
    await sql("update tracks set sharing = 'private' where id = any ($1)", [[low.id, high.id]]);
    const release = { title: "EP", tracks: [{ id: low.id }, { id: high.id }] };
    const released = () => api.as(ana).post("/releases", { json: { release } });
    expect((await askDuring(lock, [low.id], released, [lock, [high.id]])).status).toBe(201);
  });

  test("are all locked before the first is deleted, while a roll-up of counters holds one", async () => {
    const { ana, one, two } = await meet();
    await sql(
      "insert into user_insights (user_id, grain, started_at) values ($1, 'day', date_trunc('day', now()))",
      [ana.id],
    );
    await sql(
      "insert into track_insights (track_id, grain, started_at) values ($1, 'day', date_trunc('day', now()))",
      [Math.min(one, two)],
    );
    const { body } = await askDuring(
      "select from tracks where id = $1 for no key update",
      [Math.max(one, two)],
      () => remove(ana, [one, two]),
      ["update user_insights set plays = plays + 1 where user_id = $1", [ana.id]],
    );
    expect(body.refused).toEqual([]);
  });

  test("422 or 400: none, too many, no ids, a wrong field", async () => {
    const { ana, one } = await meet();
    const many = Array.from({ length: 101 }, (_, at) => at + 1);
    const answers = await Promise.all([
      change(ana, { ids: [], track: { genre: "x" } }),
      change(ana, { ids: many, track: { genre: "x" } }),
      change(ana, { ids: [one], track: { sharing: "half" } }),
      remove(ana, ""),
      remove(ana, many),
      api.as(ana).delete<ErrorReply>("/me/tracks"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 400, 422, 400]);
    expect(answers.map(({ body }) => body.errors?.[0]?.error_message?.split(":")[0])).toEqual([
      "ids",
      "ids",
      "track[sharing]",
      "ids",
      "ids",
      "ids",
    ]);
    expect((await read(ana, one)).genre).toBeNull();
  });
});
