import { ana, type Entry, get, one, track } from "./counted.ts";
import { page, resolveHref } from "./resolving.ts";

export const RESOLVING: Record<string, Entry> = {
  "GET /resolve": one(() => get(resolveHref(page(`/${ana.username}`)))),
  "GET /tracks/{id}/related": one(() => get(`/tracks/${track.id}/related`)),
};
