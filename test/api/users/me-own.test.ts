import { expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, playlistOf } from "../playlists/playlists.ts";

test("/me lists the user's own tracks and playlists only", async () => {
  const [owner, stranger] = await Promise.all([createUser(), createUser()]);
  const track = await createPlayableTrack(owner, { sharing: "private" });
  const playlist = await createPlaylist(owner, { sharing: "private", tracks: [{ id: track.id }] });
  const open = await createPlaylist(owner);
  const mine = await api.as(owner).get<Track>(`/me/tracks/${track.id}`);
  expect([mine.status, mine.body.id, mine.body.secret_token]).toEqual([200, track.id, track.secret]);
  expect(mine.headers.get("ETag")).toBeTruthy();
  const set = await api.as(owner).get<Playlist>(`/me/playlists/${playlist.id}`);
  expect([set.status, set.body]).toEqual([200, await playlistOf(owner, playlist.id)]);
  const compact = await api.as(owner).get<Playlist>(`/me/playlists/${playlist.urn}?representation=compact`);
  expect([compact.body.id, compact.body.tracks]).toEqual([playlist.id, undefined]);
  for (const path of [
    `/me/playlists/${open.id}`,
    `/me/playlists/${playlist.id}?secret_token=${playlist.secret_token}`,
    `/me/tracks/${track.id}?secret_token=${track.secret}`,
    `/me/tracks/${(await createPlayableTrack(owner)).id}`,
    "/me/playlists/1",
    "/me/tracks/x",
  ])
    expect([path, (await api.as(stranger).get(path)).status]).toEqual([path, 404]);
  for (const path of [`/me/playlists/${open.id}`, `/me/tracks/${track.id}`])
    expect((await api.as(await createAppToken()).get(path)).status).toBe(401);
});
