import { api } from "../support/api.ts";
import { aPlayableTrack } from "../support/tracks.ts";
import { ana, type Entry, get, one, post, remove } from "./counted.ts";
import { aPlaylist, named } from "./playlists.ts";

/** A playlist that Ana likes and has reposted. */
async function aMarked(): Promise<number> {
  const { id } = await aPlaylist(ana, { tracks: named([(await aPlayableTrack(ana)).id]) });
  await api.as(ana).post(`/likes/playlists/${id}`);
  await api.as(ana).post(`/reposts/playlists/${id}`);
  return id;
}

export const MARKS: Record<string, Entry> = {
  "POST /likes/playlists/{id}": one(async () => post(`/likes/playlists/${(await aPlaylist(ana)).id}`)),
  "DELETE /likes/playlists/{id}": one(async () => remove(`/likes/playlists/${await aMarked()}`)),
  "POST /reposts/playlists/{id}": one(async () => post(`/reposts/playlists/${(await aPlaylist(ana)).id}`)),
  "DELETE /reposts/playlists/{id}": one(async () => remove(`/reposts/playlists/${await aMarked()}`)),
  "GET /me/likes/playlists": one(async () => {
    await aMarked();
    return get("/me/likes/playlists");
  }),
  "GET /me/reposts/playlists": one(() => get("/me/reposts/playlists?q=playlist")),
  "GET /me/reposts/tracks": one(() => get("/me/reposts/tracks")),
  "GET /users/{id}/likes/playlists": one(() => get(`/users/${ana.id}/likes/playlists`)),
  "GET /users/{id}/reposts/playlists": one(() => get(`/users/${ana.id}/reposts/playlists`)),
  "GET /users/{id}/reposts/tracks": one(() => get(`/users/${ana.id}/reposts/tracks?q=a`)),
  "GET /playlists/{id}/favoriters": one(async () => get(`/playlists/${await aMarked()}/favoriters`)),
  "GET /playlists/{id}/reposters": one(async () => get(`/playlists/${await aMarked()}/reposters`)),
  "GET /me/favorites/ids": one(() => get("/me/favorites/ids")),
  "GET /me/tracks/{id}": one(async () => get(`/me/tracks/${(await aPlayableTrack(ana)).id}`)),
  "GET /me/playlists/{id}": one(async () => get(`/me/playlists/${await aMarked()}`)),
};
