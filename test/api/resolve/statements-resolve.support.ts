import { ana, type Entry, get, one, track } from "../../lib/http/statements.support.ts";
import { page, resolveHref } from "./resolve.support.ts";

export const RESOLVING: Record<string, Entry> = {
  "GET /resolve": one(() => get(resolveHref(page(`/${ana.username}`)))),
  "GET /tracks/{id}/related": one(() => get(`/tracks/${track.id}/related`)),
};
