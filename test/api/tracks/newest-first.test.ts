import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { parseXml } from "../../support/xml.ts";
import { child, childrenOf, textIn } from "../../web/site/podcasts.support.ts";
import { createReader, feedOf } from "../feed/feed.support.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { listed, type Page } from "./lists.support.ts";

let owner: Person;
let reader: Person;
/** In the order of their upload. The second was published last. */
let tracks: { id: number }[];
let sets: { id: number }[];

const ORDER = [1, 3, 2, 0];

const share = async (kind: "track" | "playlist", one: { id: number } | undefined, sharing: string) =>
  expect((await api.as(owner).put(`/${kind}s/${one?.id}`, { json: { [kind]: { sharing } } })).status).toBe(
    200,
  );

beforeAll(async () => {
  owner = await createUser();
  reader = await createReader(owner);
  [tracks, sets] = [[], []];
  for (const sharing of ["public", "private", "public", "public"]) {
    const [title, permalink] = [`Night ${tracks.length}`, `night-${tracks.length}`];
    tracks.push(await createPlayableTrack(owner, { sharing, title, permalink, genre: "Dub" }));
    sets.push(await createPlaylist(owner, { sharing, title }));
  }
  await share("track", tracks[1], "public");
  await share("playlist", sets[1], "public");
  // Hidden and shown again, they return to their places.
  await share("track", tracks[0], "private");
  await share("track", tracks[0], "public");
  await share("playlist", sets[0], "private");
  await share("playlist", sets[0], "public");
});

const idsOf = (items: { id: number }[], order = ORDER) => order.map((n) => items[n]?.id);

/** Walks a list, one item a page. */
async function idsIn(who: Person, path: string): Promise<number[]> {
  const ids: number[] = [];
  let next: string | undefined = `${path}limit=1&linked_partitioning=true`;
  while (next) {
    const { body }: { body: Page } = await api.as(who).get<Page>(next);
    ids.push(...body.collection.map(({ id }) => id));
    next = body.next_href;
  }
  return ids;
}

test("lists of a user's tracks begin with the latest first publication, page by page", async () => {
  for (const [who, path] of [
    [reader, `/users/${owner.id}/tracks?`],
    [owner, `/users/${owner.id}/tracks?`],
    [owner, "/me/tracks?"],
    [reader, `/tracks?user_id=${owner.id}&`],
    [reader, `/users/${owner.id}/tracks?genres=dub&`],
    [owner, "/me/tracks?genres=dub&"],
    [reader, `/users/${owner.id}/tracks?q=night&sort=created_at&`],
    [reader, `/users/${owner.id}/tracks?ids=${tracks.map(({ id }) => id)}&`],
    [reader, `/users/${owner.id}/tracks?ids=${tracks.map(({ id }) => id)}&genres=dub&`],
  ] as const)
    expect([path, await idsIn(who, path)]).toEqual([path, idsOf(tracks)]);
  const upwards = await idsIn(reader, `/users/${owner.id}/tracks?sort=asc&`);
  expect(upwards).toEqual(idsOf(tracks, ORDER.toReversed()));
});

test("a search in them ranks by words, and a time of upload bounds them", async () => {
  const path = `/users/${owner.id}/tracks`;
  expect(await listed(reader, { q: "night 2" }, path)).toEqual([tracks[2]?.id]);
  expect((await idsIn(reader, `${path}?q=night&`)).sort()).toEqual(tracks.map(({ id }) => id).sort());
  await sql("update tracks set title = 'Night' where id = $1", [tracks[0]?.id]);
  expect((await listed(reader, { q: "night" }, path))[0]).toBe(tracks[0]?.id);
  const from = { "created_at[from]": "2024-01-01 00:00:00" };
  expect(await listed(reader, from, path)).toEqual(idsOf(tracks));
  expect(await listed(reader, { "created_at[to]": "2024-01-01 00:00:00" }, path)).toEqual([]);
});

test("a private track stands by its upload, for its owner alone", async () => {
  const { id } = await createPlayableTrack(owner, { sharing: "private" });
  expect(await idsIn(owner, "/me/tracks?")).toEqual([id, ...idsOf(tracks)]);
  expect(await idsIn(owner, "/me/tracks?filter=private&")).toEqual([id]);
  expect(await idsIn(reader, `/users/${owner.id}/tracks?`)).toEqual(idsOf(tracks));
  await api.as(owner).delete(`/tracks/${id}`);
});

test("a user's playlists do the same", async () => {
  for (const [who, path] of [
    [reader, `/users/${owner.id}/playlists?`],
    [owner, "/me/playlists?show_tracks=false&"],
    [reader, `/users/${owner.id}/playlists?ids=${sets.map(({ id }) => id)}&`],
  ] as const)
    expect([path, await idsIn(who, path)]).toEqual([path, idsOf(sets)]);
});

test("feed, profile and RSS agree", async () => {
  const { collection } = await feedOf(reader, "/me/feed/tracks");
  expect(collection.map(({ origin }) => origin.id)).toEqual(idsOf(tracks));
  const pageOf = async (path: string) => (await fetch(`${stack.urls.web}/${owner.username}${path}`)).text();
  const titles = async (path: string) => {
    const html = await pageOf(path);
    const at = tracks.map((_, n) => html.indexOf(`night-${n}"`));
    expect(at).not.toContain(-1);
    return tracks.map((_, n) => n).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  };
  expect(await titles("")).toEqual(ORDER);
  expect(await titles("/sets")).toEqual(ORDER);
  const channel = child(parseXml(await pageOf("/feed.xml")), "channel");
  const links = childrenOf(channel, "item").map((item) => textIn(item, "link"));
  expect(links.map((link) => Number(link?.slice(-1)))).toEqual(ORDER);
});
