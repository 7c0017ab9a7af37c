import { type Entry, get, one } from "../../lib/http/statements.support.ts";

export const FEED: Record<string, Entry> = {
  "GET /me/feed": one(() => get("/me/feed?limit=5")),
  "GET /me/followings/tracks": one(() => get("/me/followings/tracks?sort=asc")),
  "GET /me/feed/tracks": one(() => get("/me/feed/tracks?access=playable")),
};
