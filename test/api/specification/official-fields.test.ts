import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import type { User } from "../../../functions/api/users/representation.ts";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { createComment } from "../comments/comments.support.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { listed } from "../tracks/lists.support.ts";

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = await Promise.all([createUser({ plan: "artist-pro" }), createUser()]);
});

const userOf = async (who: { token: string }, id: number) =>
  (await api.as(who).get<User>(`/users/${id}`)).body;

test("a user's reposts_count and comments_count follow their reposts and comments", async () => {
  const [fan, track] = [await createUser(), await createPlayableTrack(ana)];
  const counts = async () => {
    const { reposts_count, comments_count } = await userOf(ben, fan.id);
    return [reposts_count, comments_count];
  };
  expect(await counts()).toEqual([0, 0]);
  const set = await createPlaylist(ana);
  await api.as(fan).post(`/reposts/tracks/${track.id}`);
  await api.as(fan).post(`/reposts/playlists/${set.id}`);
  await api.as(fan).post(`/likes/playlists/${set.id}`);
  const comment = await createComment(fan, track, { body: "Good" });
  expect(comment.user).toMatchObject({ reposts_count: 2, followers_count: 0 });
  expect(await counts()).toEqual([2, 1]);
  await api.as(fan).delete(`/reposts/playlists/${set.id}`);
  await api.as(ana).delete(`/tracks/${track.id}`);
  expect(await counts()).toEqual([0, 0]);
});

test("/me has plan, subscriptions, quota and locale in the official shape, and hides the plan from others", async () => {
  await createTrack(ana, { duration_ms: 90_500 });
  await createTrack(ana, { duration_ms: 30_000, sharing: "private" });
  // The plan's own limits are what another file changes meanwhile.
  const none = ["--seconds", "none", "--bytes", "none", "--tracks", "none"];
  await operate("user set-quota", "--user", ana.username, ...none);
  const { body } = await api.as(ana).get<Me>("/me");
  expect(body).toMatchObject({
    plan: "Artist Pro",
    subscriptions: [{ product: { id: "artist-pro", name: "Artist Pro" }, recurring: false }],
    locale: null,
    upload_seconds_left: null,
    quota: { unlimited_upload_quota: true, upload_seconds_used: 120, upload_seconds_left: null },
  });
  for (const who of [ben, ana, await createAppToken()]) {
    const user = await userOf(who, ana.id);
    expect([user.plan, user.subscriptions]).toEqual([null, null]);
    expect(Object.keys(user)).not.toContain("quota");
  }
});

test("a playlist has user_urn and tags", async () => {
  const set = await createPlaylist(ana, { tag_list: 'one "two words"' });
  const { body } = await api.as(ben).get<Playlist>(`/playlists/${set.id}`);
  expect([body.user_urn, body.tags]).toEqual([`soundcloud:users:${ana.id}`, 'one "two words"']);
  const bare = await createPlaylist(ana);
  expect((await api.as(ben).get<Playlist>(`/playlists/${bare.id}`)).body.tags).toBeNull();
});

test("a track's streams have hls_mp3_128_url, for whoever hears all of it", async () => {
  const [open, preview] = [
    await createPlayableTrack(ana),
    await createPlayableTrack(ana, { paywall: "preview" }),
  ];
  const streamsOf = async (who: Person, { id }: { id: number }) =>
    (await api.as(who).get<Streams>(`/tracks/${id}/streams`)).body;
  for (const [who, track] of [
    [ana, open],
    [ben, open],
    [ana, preview],
  ] as const) {
    const playlist = await fetch((await streamsOf(who, track)).hls_mp3_128_url ?? "");
    expect(playlist.headers.get("Content-Type")).toBe("application/vnd.apple.mpegurl");
    expect(await playlist.text()).toMatch(/^#EXTM3U\n(?:.*\n)*audio\/0\.mp3\n#EXT-X-ENDLIST\n$/);
  }
  expect(await streamsOf(ben, preview)).not.toHaveProperty("hls_mp3_128_url");
});

const trackIds = ({ tracks = [] }: Playlist) => tracks.map(({ id }) => id);

test("access filters the tracks of one playlist and of every list of playlists", async () => {
  const open = await createPlayableTrack(ana);
  const preview = await createPlayableTrack(ana, { paywall: "preview" });
  const blocked = await createPlayableTrack(ana, { streamable: false });
  const ids = [open.id, preview.id, blocked.id];
  const set = await createPlaylist(ana, { tracks: named(ids) });
  await api.as(ben).post(`/likes/playlists/${set.id}`);
  await api.as(ben).post(`/reposts/playlists/${set.id}`);
  const of = async (path: string, who: { token: string } = ben) => {
    const { status, body } = await api.as(who).get<Playlist | Playlist[]>(path);
    const found = Array.isArray(body) ? body.find(({ id }) => id === set.id) : body;
    return [status, found && trackIds(found), found?.track_count];
  };
  for (const path of [
    `/playlists/${set.id}`,
    `/playlists?ids=${set.id}`,
    `/users/${ana.id}/playlists`,
    `/users/${ben.id}/likes/playlists`,
    `/users/${ben.id}/reposts/playlists`,
    "/me/likes/playlists",
    "/me/reposts/playlists",
  ]) {
    const asked = (access: string) => of(`${path}${path.includes("?") ? "&" : "?"}access=${access}`);
    expect([path, await of(path)]).toEqual([path, [200, ids, 3]]);
    expect([path, await asked("playable")]).toEqual([path, [200, [open.id], 1]]);
    expect([path, await asked("preview,blocked")]).toEqual([path, [200, [preview.id, blocked.id], 2]]);
    expect([path, (await asked("free"))[0]]).toEqual([path, 422]);
  }
  // All are playable to their owner.
  for (const path of ["/me/playlists", `/me/playlists/${set.id}`, `/playlists/${set.id}`]) {
    expect([path, await of(`${path}?access=playable`, ana)]).toEqual([path, [200, ids, 3]]);
    expect([path, await of(`${path}?access=blocked`, ana)]).toEqual([path, [200, [], 0]]);
  }
  expect(await of(`/playlists/${set.id}`)).toEqual([200, ids, 3]);
});

test("bpm keeps two decimals, and a filter compares the displayed value", async () => {
  const { id } = await createPlayableTrack(ana);
  const put = async (bpm: unknown) => {
    const { status, body } = await api.as(ana).put<Track>(`/tracks/${id}`, { json: { track: { bpm } } });
    return status === 200 ? body.bpm : status;
  };
  for (const [sent, kept] of [
    [120.35, 120.35],
    [120.354, 120.35],
    ["99.999", 100],
    [0.01, 0.01],
    [1000, 1000],
    [133.33, 133.33],
  ])
    expect([sent, await put(sent)]).toEqual([sent, kept]);
  for (const refused of [0, 0.001, -1, 1000.01, "fast"])
    expect([refused, await put(refused)]).toEqual([refused, 422]);
  const set = await createPlaylist(ana, { tracks: named([id]) });
  await api.as(ben).post(`/likes/tracks/${id}`);
  await api.as(ben).post(`/reposts/tracks/${id}`);
  for (const bpm of [120.1, 133.33, 99.95, 87.67, 140.02]) {
    await put(bpm);
    for (const [path, more] of [
      ["/tracks", { ids: id }],
      ["/tracks", { q: ana.username }],
      [`/users/${ana.id}/tracks`, {}],
      [`/users/${ben.id}/likes/tracks`, {}],
      [`/users/${ben.id}/reposts/tracks`, {}],
      [`/playlists/${set.id}/tracks`, {}],
    ] as const) {
      const found = async (bounds: object) => (await listed(ben, { ...more, ...bounds }, path)).includes(id);
      expect([path, bpm, await found({ "bpm[from]": bpm, "bpm[to]": bpm })]).toEqual([path, bpm, true]);
      expect([path, bpm, await found({ "bpm[from]": (bpm + 0.01).toFixed(2) })]).toEqual([path, bpm, false]);
      expect([path, bpm, await found({ "bpm[to]": (bpm - 0.01).toFixed(2) })]).toEqual([path, bpm, false]);
    }
  }
});
