import { ana, type Entry, get, one, post, put, remove, track } from "../../lib/http/statements.support.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { createPlaylist, named } from "./playlists.ts";

const holding = () => ({ tracks: named([track.id]) });

const playlistPath = async (rest = "") => `/playlists/${(await createPlaylist(ana, holding())).id}${rest}`;

/** Requests about playlists and releases, for `statements.test.ts`. */
export const PLAYLISTS: Record<string, Entry> = {
  "POST /releases": one(async () =>
    post("/releases", {
      release: { title: "Counted", tracks: named([(await createPlayableTrack(ana)).id]) },
    }),
  ),
  "POST /playlists": one(() => post("/playlists", { playlist: { title: "Counted", ...holding() } })),
  "GET /playlists": one(() => get("/playlists?limit=5")),
  "GET /me/playlists": one(() => get("/me/playlists")),
  "GET /users/{id}/playlists": one(() => get(`/users/${ana.id}/playlists?q=counted`)),
  "GET /playlists/{id}": one(async () => get(await playlistPath())),
  "PUT /playlists/{id}": one(async () =>
    put(await playlistPath(), { playlist: { title: "Counted", ...holding() } }),
  ),
  "DELETE /playlists/{id}": one(async () => remove(await playlistPath())),
  "GET /playlists/{id}/tracks": one(async () => get(await playlistPath("/tracks?q=song&bpm[from]=1"))),
  "PUT /playlists/{id}/tracks": one(async () => put(await playlistPath("/tracks"), holding())),
  "DELETE /playlists/{id}/tracks/{trackId}": one(async () =>
    remove(await playlistPath(`/tracks/${track.id}`)),
  ),
  "GET /playlists/{id}/secret-token": one(async () => get(await playlistPath("/secret-token"))),
  "PUT /playlists/{id}/secret-token": one(async () => put(await playlistPath("/secret-token"))),
  "GET /playlists/{id}/podcast": one(async () => {
    const path = await playlistPath("/podcast");
    await put(path, { podcast: { category: "Arts" } });
    return get(path);
  }),
  "PUT /playlists/{id}/podcast": one(async () =>
    put(await playlistPath("/podcast"), { podcast: { category: "Arts" } }),
  ),
  "DELETE /playlists/{id}/podcast": one(async () => remove(await playlistPath("/podcast"))),
  "GET /playlists/{id}/permalink": one(async () => get(await playlistPath("/permalink"))),
  "PUT /playlists/{id}/permalink": one(async () =>
    put(await playlistPath("/permalink"), { permalink: "counted-there" }),
  ),
};
