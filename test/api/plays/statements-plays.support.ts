import { ana, type Entry, get, one, post, track } from "../../lib/http/statements.support.ts";

/** Requests about plays, for `statements.test.ts`. */
export const PLAYS: Record<string, Entry> = {
  "POST /tracks/{id}/plays": one(() => post(`/tracks/${track.id}/plays`, undefined, {}, ana)),
  "GET /me/recently-played/tracks": one(() => get("/me/recently-played/tracks?q=song")),
};
