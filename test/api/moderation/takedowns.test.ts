import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { Browser } from "../../support/browser.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";
import { itemsOf } from "../feed/feed.support.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";

let owner: Person;
let fan: Person;

beforeAll(async () => {
  [owner, fan] = await Promise.all([createUser(), createUser()]);
  await api.as(fan).put(`/me/followings/${owner.id}`);
});

const BECAUSE = ["--reason", "Somebody else wrote it"];

const takeDown = ({ id }: StoredTrack) => operate("track take-down", "--track", String(id), ...BECAUSE);
const putBack = ({ id }: StoredTrack) => operate("track put-back", "--track", String(id));

const countsOf = async () =>
  (await api.as(fan).get<{ public_favorites_count: number }>("/me")).body.public_favorites_count;

test("a track that was taken down is nowhere, and back in its place once it is put back", async () => {
  const [track, other] = [await createPlayableTrack(owner), await createPlayableTrack(owner)];
  await sql("update tracks set title = 'Found by ' || id where id = $1", [track.id]);
  await api.as(fan).post(`/likes/tracks/${track.id}`);
  await api.as(fan).post(`/reposts/tracks/${track.id}`);
  const { id: playlist } = await createPlaylist(fan, { tracks: named([track.id, other.id]) });
  const permalink = (await api.as(owner).get<Track>(`/tracks/${track.id}`)).body.permalink;
  const page = `/${owner.username}/${permalink}`;
  const likes = await countsOf();
  const ids = async (path: string) => {
    const { body } = await api
      .as(fan)
      .get<{ id: number }[] | { collection: { origin: { id: number } }[] }>(path);
    return (Array.isArray(body) ? body : body.collection.map(({ origin }) => origin)).map(({ id }) => id);
  };
  const places = async () => ({
    list: await ids(`/users/${owner.id}/tracks`),
    search: await ids(`/tracks?q=${encodeURIComponent(`Found by ${track.id}`)}`),
    feed: await ids("/me/feed/tracks"),
    liked: await ids("/me/likes/tracks"),
    set: (await api.as(fan).get<{ tracks: { id: number }[] }>(`/playlists/${playlist}`)).body.tracks.map(
      ({ id }) => id,
    ),
    page: (await new Browser().get(page)).status,
    embed: (await new Browser().get(`/embed?url=${encodeURIComponent(`/tracks/${track.id}`)}`)).html.includes(
      "Found by",
    ),
    rss: (await new Browser().get(`/${owner.username}/feed.xml`)).html.includes(`Found by ${track.id}`),
    sitemap: (await api.as(fan).get(`/resolve?url=${encodeURIComponent(`${page}`)}`)).status,
  });
  const before = await places();
  expect([before.list, before.search, before.feed, before.liked, before.set]).toEqual([
    [other.id, track.id],
    [track.id],
    [other.id, track.id],
    [track.id],
    [track.id, other.id],
  ]);
  expect(before.page).toBe(200);

  expect(await takeDown(track)).toMatchObject({
    taken_down_for: "Somebody else wrote it",
    sharing: "private",
  });
  const during = await places();
  expect([during.list, during.search, during.feed, during.liked, during.set]).toEqual([
    [other.id],
    [],
    [other.id],
    [],
    [other.id],
  ]);
  expect([during.page, during.embed, during.rss]).toEqual([404, false, false]);
  expect(await countsOf()).toBe(likes - 1);

  await putBack(track);
  expect(await places()).toEqual(before);
  expect(await countsOf()).toBe(likes);
});

test("the owner reads why, keeps the file, and cannot publish it", async () => {
  const track = await createPlayableTrack(owner, { downloadable: true });
  const path = `/tracks/${track.id}`;
  const before = (await api.as(owner).get<Track>(path)).body;
  expect(before).toMatchObject({ waveform_url: expect.any(String), download_url: expect.any(String) });
  await takeDown(track);
  const { body } = await api.as(owner).get<Track>(path);
  expect(body).toMatchObject({
    access: "blocked",
    sharing: "private",
    takedown: { reason: "Somebody else wrote it" },
  });
  // Nothing of it can be had.
  expect([body.waveform_url, body.download_url, body.stream_url]).toEqual([null, undefined, undefined]);
  expect((await api.as(owner).get(`${path}/streams`)).status).toBe(403);
  const refused = await api.as(owner).put(path, { json: { track: { sharing: "public" } } });
  expect(refused.status).toBe(403);
  expect(JSON.stringify(refused.body)).toContain("track[sharing]");
  const edited = await api.as(owner).put<Track>(path, { json: { track: { title: "Ours now" } } });
  expect([edited.status, edited.body.access]).toEqual([200, "blocked"]);
  const [row] = await sql<{ original_key: string; media_prefix: string }>(
    "select original_key, media_prefix from tracks where id = $1",
    [track.id],
  );
  const garbage = await sql("select 1 from object_garbage where prefix in ($1, $2)", [
    row?.original_key,
    row?.media_prefix,
  ]);
  expect(garbage).toEqual([]);
  await putBack(track);
  const back = (await api.as(owner).get<Track>(path)).body;
  expect([back.access, back.sharing, back.takedown]).toEqual(["playable", "public", undefined]);
});

test("a track that was taken down before publications were noted is put back at its place in feeds", async () => {
  const [artist, reader] = [await createUser(), await createUser()];
  await api.as(reader).put(`/me/followings/${artist.id}`);
  const [track, later] = [await createPlayableTrack(artist), await createPlayableTrack(artist)];
  await takeDown(track);
  await sql("update tracks set was_public = false where id = $1", [track.id]);
  await putBack(track);
  expect(await itemsOf(reader)).toEqual([`track ${later.id}`, `track ${track.id}`]);
});

test("a track that its owner made private during the takedown is not published when it is put back", async () => {
  const track = await createPlayableTrack(owner);
  const path = `/tracks/${track.id}`;
  await takeDown(track);
  const hidden = await api.as(owner).put<Track>(path, { json: { track: { sharing: "private" } } });
  expect([hidden.status, hidden.body.sharing]).toEqual([200, "private"]);
  expect(await putBack(track)).toMatchObject({ sharing: "private", taken_down_for: null });
  expect((await api.as(fan).get(path)).status).toBe(404);
  const published = await api.as(owner).put<Track>(path, { json: { track: { sharing: "public" } } });
  expect([published.status, published.body.sharing]).toEqual([200, "public"]);
});

test("a private track stays private when it is put back, and a new secret link works then only", async () => {
  const track = await createPlayableTrack(owner, { sharing: "private" });
  const path = `/tracks/${track.id}`;
  expect((await api.as(fan).get(`${path}?secret_token=${track.secret}`)).status).toBe(200);
  await takeDown(track);
  expect((await api.as(fan).get(`${path}?secret_token=${track.secret}`)).status).toBe(404);
  const { body } = await api.as(owner).put<{ secret_token: string }>(`${path}/secret-token`);
  const [made] = Object.values(body).filter((value) => typeof value === "string" && value.startsWith("s-"));
  expect((await api.as(fan).get(`${path}?secret_token=${made}`)).status).toBe(404);
  await putBack(track);
  expect((await api.as(fan).get(`${path}?secret_token=${made}`)).status).toBe(200);
  expect((await api.as(fan).get(path)).status).toBe(404);
});

test("a track that was taken down may be deleted, and then is gone for operators too", async () => {
  const track = await createPlayableTrack(owner);
  await takeDown(track);
  expect((await api.as(owner).delete(`/tracks/${track.id}`)).status).toBe(200);
  await expect(putBack(track)).rejects.toThrow("no track");
  const { acts } = await operate<{ acts: { act: string; target_id: number }[] }>(
    "audit list",
    "--limit",
    "5",
  );
  expect(acts).toContainEqual(expect.objectContaining({ act: "track.take-down", target_id: track.id }));
});

test("a takedown that is repeated is refused, and a track is named by its page's address", async () => {
  const track = await createPlayableTrack(owner);
  const { permalink } = (await api.as(owner).get<Track>(`/tracks/${track.id}`)).body;
  const named = `https://example.com/${owner.username}/${permalink}?in=x`;
  await operate("track take-down", "--track", named, "--reason", "First");
  const again = operate("track take-down", "--track", `${owner.username}/${permalink}`, "--reason", "Second");
  await expect(again).rejects.toThrow("The track is taken down already");
  expect(await operate("track show", "--track", String(track.id))).toMatchObject({ taken_down_for: "First" });
  const { acts } = await operate<{ acts: unknown[] }>("audit list", "--track", String(track.id));
  expect(acts.length).toBe(1);
});
