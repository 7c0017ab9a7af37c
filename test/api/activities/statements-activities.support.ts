import { type Entry, get, one } from "../../lib/http/statements.support.ts";

export const ACTIVITIES: Record<string, Entry> = Object.fromEntries(
  ["", "/all", "/all/own", "/tracks", "/tracks/affiliated", "/tracks/exclusive"]
    .map((list) => `/me/activities${list}`)
    .map((path) => [`GET ${path}`, one(() => get(path))]),
);
