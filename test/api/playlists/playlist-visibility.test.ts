import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack, putMedia } from "../../support/tracks.ts";
import { type Asking, listed } from "../tracks/lists.support.ts";
import { createPlaylist, idsIn, named, playlistOf } from "./playlists.ts";

let ana: Person;
let bob: Person;
let eve: Person;

beforeAll(async () => {
  [ana, bob, eve] = await Promise.all([createUser(), createUser(), createUser()]);
});

const status = async (who: Asking, path: string) => (await api.as(who).get(path)).status;

describe("a private playlist", () => {
  test("exists for its owner and anyone with its secret, including apps without a user", async () => {
    const { id, secret_token } = await createPlaylist(ana, { sharing: "private" });
    const app = await createAppToken();
    for (const path of [`/playlists/${id}`, `/playlists/${id}/tracks`]) {
      expect(await status(ana, path)).toBe(200);
      for (const who of [bob, app]) {
        expect([path, await status(who, path)]).toEqual([path, 404]);
        expect(await status(who, `${path}?secret_token=s-wrong`)).toBe(404);
        expect(await status(who, `${path}?secret_token=${secret_token}`)).toBe(200);
      }
    }
    expect((await playlistOf(bob, id, `?secret_token=${secret_token}`)).secret_token).toBeUndefined();
    const unseen = await api.as(bob).get<object>(`/playlists/${id}`);
    const unknown = await api.as(bob).get<object>("/playlists/1");
    expect(unseen.body).toEqual({ ...unknown.body, request_id: unseen.headers.get("X-Request-Id") });
  });

  test("is in no list but its owner's (X10)", async () => {
    const word = `w${ana.username}`;
    const { id, secret_token } = await createPlaylist(ana, { sharing: "private", title: `Hidden ${word}` });
    const paths = ["/playlists", `/users/${ana.id}/playlists`];
    for (const path of paths) {
      for (const query of [
        { ids: id },
        { q: word },
        { q: `"hidden ${word}"` },
        { limit: 200 },
        { ids: id, secret_token },
      ]) {
        expect([path, query, (await listed(ana, query, path)).includes(id)]).toEqual([path, query, true]);
        for (const who of [bob, await createAppToken()])
          expect([path, query, (await listed(who, query, path)).includes(id)]).toEqual([path, query, false]);
      }
    }
    expect(await listed(ana, { q: word }, "/me/playlists")).toEqual([id]);
    expect(await status(await createAppToken(), "/me/playlists")).toBe(401);
  });

  test("shows its secret to its owner only, and a new one replaces it at once", async () => {
    const { id, uri, secret_token } = await createPlaylist(ana, { sharing: "private" });
    const path = `/playlists/${id}/secret-token`;
    const secretReply = await api.as(ana).get<{ token: string }>(path);
    expect(secretReply.body).toEqual({
      kind: "secret-token",
      token: secret_token,
      uri: `${uri}/secret-token`,
      resource_uri: uri,
    });
    const { body } = await api.as(ana).put<{ token: string }>(path);
    expect(body.token).not.toBe(secret_token);
    expect(await status(bob, `/playlists/${id}?secret_token=${secret_token}`)).toBe(404);
    expect(await status(bob, `/playlists/${id}?secret_token=${body.token}`)).toBe(200);
    expect(await playlistOf(ana, id)).toMatchObject({
      secret_token: body.token,
      secret_uri: `${uri}?secret_token=${body.token}`,
    });
  });
});

describe("a private track in a public playlist (X8)", () => {
  test("is hidden from others in listing, counts and duration, but visible to its own owner", async () => {
    const open = await createPlayableTrack(bob);
    const closed = await createPlayableTrack(bob, { downloadable: true });
    const { id } = await createPlaylist(ana, { tracks: named([closed.id, open.id]) });
    await sql("update tracks set sharing = 'private' where id = $1", [closed.id]);
    for (const who of [ana, eve, await createAppToken()]) {
      for (const query of ["", "?representation=id"])
        expect(idsIn(await playlistOf(who, id, query))).toEqual([open.id]);
      expect(await playlistOf(who, id)).toMatchObject({
        track_count: 1,
        duration: 10_000,
        downloadable: false,
      });
      expect(await listed(who, {}, `/playlists/${id}/tracks`)).toEqual([open.id]);
      const [shown] = (await api.as(who).get<Playlist[]>(`/playlists?ids=${id}`)).body;
      expect([shown?.track_count, shown?.duration, shown && idsIn(shown)]).toEqual([1, 10_000, [open.id]]);
    }
    expect(await playlistOf(bob, id)).toMatchObject({ track_count: 2, duration: 20_000, downloadable: null });
    expect(idsIn(await playlistOf(bob, id))).toEqual([closed.id, open.id]);
    // The track's own secret opens the track, not the playlist around it.
    expect(idsIn(await playlistOf(eve, id, `?secret_token=${closed.secret}`))).toEqual([open.id]);
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [closed.id, eve.id]);
    expect(idsIn(await playlistOf(eve, id))).toEqual([closed.id, open.id]);
  });

  test("is opened by the playlist's secret everywhere if both have one owner", async () => {
    const [own, foreign] = [
      await createPlayableTrack(ana, { sharing: "private" }),
      await createPlayableTrack(bob),
    ];
    const outside = await createPlayableTrack(ana, { sharing: "private" });
    const { id, secret_token } = await createPlaylist(ana, { tracks: named([own.id, foreign.id]) });
    await sql("update tracks set sharing = 'private' where id = $1", [foreign.id]);
    const secret = `?secret_token=${secret_token}`;
    for (const who of [eve, await createAppToken()]) {
      expect(await playlistOf(who, id)).toMatchObject({ tracks: [], track_count: 0 });
      const [inside] = (await playlistOf(who, id, secret)).tracks ?? [];
      const alone = (await api.as(who).get<Track>(`/tracks/${own.id}${secret}`)).body;
      expect(inside).toEqual(alone);
      expect([alone.id, alone.secret_token]).toEqual([own.id, undefined]);
      expect(await playlistOf(who, id, secret)).toMatchObject({ track_count: 1, duration: 10_000 });
      expect(await listed(who, { secret_token }, `/playlists/${id}/tracks`)).toEqual([own.id]);
      // The filter lists private tracks of the reader alone, as in any list.
      expect(await listed(who, { secret_token, filter: "private" }, `/playlists/${id}/tracks`)).toEqual([]);
      for (const hidden of [foreign, outside])
        expect(await status(who, `/tracks/${hidden.id}${secret}`)).toBe(404);
    }
    expect(await status(eve, `/tracks/${own.id}/streams${secret}`)).toBe(200);
    expect(await status(await createAppToken(), `/tracks/${own.id}/streams${secret}`)).toBe(401);
    await api.as(ana).put(`/playlists/${id}/secret-token`);
    expect(await status(eve, `/tracks/${own.id}${secret}`)).toBe(404);
    expect(await playlistOf(eve, id, secret)).toMatchObject({ tracks: [], track_count: 0 });
  });
});

test("a playlist shows each track as the viewer would see it alone, except failed ones", async () => {
  const friend = await createUser();
  const kinds: Record<string, unknown>[] = [
    {},
    { sharing: "private" },
    { streamable: false },
    { streamable: false, sharing: "private" },
    { available_country_codes: ["AQ"] },
    { paywall: "preview" },
    { paywall: "blocked" },
    { state: "processing" },
    { state: "processing", sharing: "private" },
    { state: "failed" },
    { state: "failed", sharing: "private" },
  ];
  const trackIds: number[] = [];
  for (const { state, ...columns } of kinds) {
    const track = state
      ? await createTrack(bob, { state, ...columns })
      : await createPlayableTrack(bob, columns);
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [track.id, friend.id]);
    trackIds.push(track.id);
  }
  const { id } = await createPlaylist(bob, { tracks: named(trackIds) });
  await sql("update playlists set user_id = $2, permalink = 'handed-over' where id = $1", [id, ana.id]);
  const readers = {
    ana,
    bob,
    friend,
    payer: await createUser({ plan: "artist" }),
    app: await createAppToken(),
  };
  for (const [name, who] of Object.entries(readers)) {
    const alone = await Promise.all(trackIds.map((track) => api.as(who).get<Track>(`/tracks/${track}`)));
    const expected = alone
      .filter((reply) => reply.status === 200 && (name === "bob" || reply.body.state !== "failed"))
      .map(({ body }) => body);
    const shown = await playlistOf(who, id);
    expect([name, shown.tracks]).toEqual([name, expected]);
    const streamable = new Set(expected.map((track) => track.streamable));
    expect(shown).toMatchObject({
      track_count: expected.length,
      duration: expected.reduce((sum, { duration }) => sum + duration, 0),
      streamable: streamable.size === 1 ? [...streamable][0] : null,
    });
    expect((await api.as(who).get<Track[]>(`/playlists/${id}/tracks`)).body).toEqual(expected);
  }
});

test("each viewer gets their own view of a cached track", async () => {
  const track = await createPlayableTrack(bob, { paywall: "preview" });
  const payer = await createUser({ plan: "artist" });
  const { id } = await createPlaylist(ana, { tracks: named([track.id]) });
  for (let round = 0; round < 2; round++) {
    const seen = await Promise.all(
      [eve, payer, bob].map(async (who) => {
        const [inside] = (await playlistOf(who, id)).tracks ?? [];
        expect(inside).toEqual((await api.as(who).get<Track>(`/tracks/${track.id}`)).body);
        return inside && "access" in inside ? [inside.access, "secret_token" in inside] : [];
      }),
    );
    expect(seen).toEqual([
      ["preview", false],
      ["playable", false],
      ["playable", true],
    ]);
  }
});

test("playlists of a user who left disappear", async () => {
  const gone = await createUser();
  const [track, remaining] = [await createPlayableTrack(gone), await createPlayableTrack(ana)];
  const theirs = await createPlaylist(gone, { tracks: named([remaining.id]) });
  const mine = await createPlaylist(ana, { tracks: named([track.id, remaining.id]) });
  await sql("update users set disabled_at = now() where id = $1", [gone.id]);
  expect(await status(ana, `/playlists/${theirs.id}`)).toBe(404);
  expect(await status(ana, `/users/${gone.id}/playlists`)).toBe(404);
  expect(await listed(ana, { ids: theirs.id }, "/playlists")).toEqual([]);
  expect(await listed(ana, { q: gone.username }, "/playlists")).toEqual([]);
  expect(idsIn(await playlistOf(ana, mine.id))).toEqual([remaining.id]);
});

describe("playback by a playlist's secret", () => {
  async function opened() {
    const track = await createPlayableTrack(ana, { sharing: "private" });
    await putMedia(`${track.prefix}hls/96/0.m4s`, Buffer.from("audio"));
    const { id, secret_token } = await createPlaylist(ana, { tracks: named([track.id]) });
    const { body } = await api
      .as(eve)
      .get<Record<string, string>>(`/tracks/${track.id}/streams?secret_token=${secret_token}`);
    const segment = body.hls_aac_96_url?.replace("playlist.m3u8", "0.m4s");
    const urls = [body.hls_aac_160_url, body.hls_aac_96_url, segment];
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url ?? "")).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    return { track, id, statuses };
  }

  test("stops at once when the secret is replaced, including segments (X80)", async () => {
    const { track, id, statuses } = await opened();
    const ofOwner = await api.as(ana).get<Record<string, string>>(`/tracks/${track.id}/streams`);
    await api.as(ana).put(`/playlists/${id}/secret-token`);
    expect(await statuses()).toEqual([404, 404, 404]);
    expect((await fetch(ofOwner.body.hls_aac_160_url ?? "")).status).toBe(200);
  });

  test("stops at once in the site's player and in the embedded one, too (X80)", async () => {
    const track = await createPlayableTrack(ana, { sharing: "private" });
    const { id, permalink_url, secret_token } = await createPlaylist(ana, {
      sharing: "private",
      tracks: named([track.id]),
    });
    const page = await fetch(`${permalink_url}/${secret_token}`);
    expect(await page.text()).toContain(`data-play="${track.id}" data-secret="${secret_token}"`);
    const url = `${stack.urls.api}/playlists/${id}?secret_token=${secret_token}`;
    const pages = [
      `${stack.urls.api}/you/sources/${track.id}?secret_token=${secret_token}`,
      `${stack.urls.api}/player?url=${encodeURIComponent(url)}`,
    ];
    const urls = await Promise.all(
      pages.map(
        async (page) => /http[^"&]*\/media\/[^"&]*master\.m3u8/.exec(await (await fetch(page)).text())?.[0],
      ),
    );
    const statuses = () => Promise.all(urls.map(async (media) => (await fetch(media ?? "")).status));
    expect(await statuses()).toEqual([200, 200]);
    await api.as(ana).put(`/playlists/${id}/secret-token`);
    expect(await statuses()).toEqual([404, 404]);
  });

  test("stops when the track's own secret changes, like every earlier link (X80)", async () => {
    const { track, statuses } = await opened();
    await api.as(ana).put(`/tracks/${track.id}/secret-token`);
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  test("stops when the playlist is deleted or drops the track", async () => {
    const [left, gone] = [await opened(), await opened()];
    await api.as(ana).delete(`/playlists/${left.id}/tracks/${left.track.id}`);
    await api.as(ana).delete(`/playlists/${gone.id}`);
    expect([...(await left.statuses()), ...(await gone.statuses())]).toEqual(Array(6).fill(404));
  });

  test("stops for links of a public playlist that became private (X14)", async () => {
    const track = await createPlayableTrack(ana);
    const { secret_token } = await createPlaylist(ana, { tracks: named([track.id]) });
    const path = `/tracks/${track.id}/streams?secret_token=${secret_token}`;
    const { body } = await api.as(eve).get<Record<string, string>>(path);
    await sql("update tracks set sharing = 'private' where id = $1", [track.id]);
    expect((await fetch(body.hls_aac_160_url ?? "")).status).toBe(404);
  });

  test("is not kept open by an invalid secret after a share ends (X14)", async () => {
    const track = await createPlayableTrack(ana, { sharing: "private" });
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [track.id, eve.id]);
    const path = `/tracks/${track.id}/streams?secret_token=s-wrong`;
    const { body } = await api.as(eve).get<Record<string, string>>(path);
    const media = async () => (await fetch(body.hls_aac_160_url ?? "")).status;
    expect(await media()).toBe(200);
    await sql("delete from track_shares where track_id = $1", [track.id]);
    expect(await media()).toBe(404);
  });
});
