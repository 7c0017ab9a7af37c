import { ana, type Entry, get, one, post, remove } from "../../lib/http/statements.support.ts";
import { api } from "../../support/api.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";

/** A playlist that Ana likes and has reposted. */
async function createFavoredPlaylist(): Promise<number> {
  const { id } = await createPlaylist(ana, { tracks: named([(await createPlayableTrack(ana)).id]) });
  await api.as(ana).post(`/likes/playlists/${id}`);
  await api.as(ana).post(`/reposts/playlists/${id}`);
  return id;
}

export const FAVORITES: Record<string, Entry> = {
  "POST /likes/playlists/{id}": one(async () => post(`/likes/playlists/${(await createPlaylist(ana)).id}`)),
  "DELETE /likes/playlists/{id}": one(async () =>
    remove(`/likes/playlists/${await createFavoredPlaylist()}`),
  ),
  "POST /reposts/playlists/{id}": one(async () =>
    post(`/reposts/playlists/${(await createPlaylist(ana)).id}`),
  ),
  "DELETE /reposts/playlists/{id}": one(async () =>
    remove(`/reposts/playlists/${await createFavoredPlaylist()}`),
  ),
  "GET /me/likes/playlists": one(async () => {
    await createFavoredPlaylist();
    return get("/me/likes/playlists");
  }),
  "GET /me/reposts/playlists": one(() => get("/me/reposts/playlists?q=playlist")),
  "GET /me/reposts/tracks": one(() => get("/me/reposts/tracks")),
  "GET /users/{id}/likes/playlists": one(() => get(`/users/${ana.id}/likes/playlists`)),
  "GET /users/{id}/reposts/playlists": one(() => get(`/users/${ana.id}/reposts/playlists`)),
  "GET /users/{id}/reposts/tracks": one(() => get(`/users/${ana.id}/reposts/tracks?q=a`)),
  "GET /playlists/{id}/favoriters": one(async () =>
    get(`/playlists/${await createFavoredPlaylist()}/favoriters`),
  ),
  "GET /playlists/{id}/reposters": one(async () =>
    get(`/playlists/${await createFavoredPlaylist()}/reposters`),
  ),
  "GET /me/favorites/ids": one(() => get("/me/favorites/ids")),
  "GET /me/tracks/{id}": one(async () => get(`/me/tracks/${(await createPlayableTrack(ana)).id}`)),
  "GET /me/playlists/{id}": one(async () => get(`/me/playlists/${await createFavoredPlaylist()}`)),
};
