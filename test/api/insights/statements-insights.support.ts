import { ana, type Entry, get, one, track } from "../../lib/http/statements.support.ts";
import { createPlaylist } from "../playlists/playlists.ts";

/** Requests about insights, for `statements.test.ts`. */
const BY = "?by=country,app,referrer,progress,track";

export const INSIGHTS: Record<string, Entry> = {
  "GET /me/insights": one(() => get(`/me/insights${BY}`)),
  "GET /tracks/{id}/insights": one(() => get(`/tracks/${track.id}/insights${BY}`)),
  "GET /playlists/{id}/insights": one(async () =>
    get(`/playlists/${(await createPlaylist(ana)).id}/insights${BY}`),
  ),
};
