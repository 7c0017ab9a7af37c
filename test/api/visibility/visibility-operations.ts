import { randomBytes } from "node:crypto";
import {
  changes,
  downloads,
  favored,
  favorites,
  type Listed,
  listed,
  listedFavorites,
  listedFeed,
  listedHeardOf,
  listedPrivate,
  owns,
  picturesChapter,
  plays,
  previews,
  type Rule,
  reads,
  readsChapters,
  readsOwn,
  readsTranscript,
  reposts,
  retries,
  supersedes,
  unfavorites,
} from "./visibility-rules.ts";

/** The rule of each operation on a track, and of each list of tracks. */

export interface Entry {
  rule: Rule;
  json?: object | (() => object);
  /** Success creates or removes a track. */
  uses?: true;
}

const TRANSCRIPT = { transcript: { content: "WEBVTT\n\n00:00.000 --> 00:04.000\nHello." } };
const CHAPTERS = { version: "1.2.0", chapters: [{ startTime: 0, title: "Hello" }] };
const newPermalink = () => ({ permalink: `p${randomBytes(6).toString("hex")}` });

export const RULES: Record<string, Entry> = {
  "GET /tracks/{id}": { rule: reads },
  "GET /me/tracks/{id}": { rule: readsOwn },
  "PUT /tracks/{id}": { rule: changes, json: { track: { genre: "Changed" } } },
  "DELETE /tracks/{id}": { rule: changes, uses: true },
  "GET /tracks/{id}/attachments": { rule: reads },
  "GET /tracks/{id}/download": { rule: downloads },
  "POST /tracks/{id}/retry": { rule: retries, uses: true },
  "GET /tracks/{id}/secret-token": { rule: changes },
  "PUT /tracks/{id}/secret-token": { rule: changes, uses: true },
  "GET /tracks/{id}/episode": { rule: changes },
  "PUT /tracks/{id}/episode": { rule: changes, json: { episode: { number: 1 } } },
  "GET /tracks/{id}/transcript": { rule: readsTranscript },
  "GET /tracks/{id}/transcript/{format}": { rule: readsTranscript },
  "PUT /tracks/{id}/transcript": { rule: changes, json: TRANSCRIPT, uses: true },
  "DELETE /tracks/{id}/transcript": { rule: changes },
  "GET /tracks/{id}/chapters": { rule: readsChapters },
  "PUT /tracks/{id}/chapters": { rule: changes, json: CHAPTERS, uses: true },
  "DELETE /tracks/{id}/chapters": { rule: changes },
  "PUT /tracks/{id}/chapters/{start}/picture": {
    rule: picturesChapter,
    json: { chapter: { picture_data: null } },
    uses: true,
  },
  "GET /tracks/{id}/insights": { rule: changes },
  "GET /tracks/{id}/permalink": { rule: changes },
  "PUT /tracks/{id}/permalink": { rule: changes, json: newPermalink, uses: true },
  "POST /tracks/{id}/supersede": { rule: supersedes, json: { superseded_id: 1 } },
  "GET /tracks/{id}/shared-to/users": { rule: changes },
  "PUT /tracks/{id}/shared-to/users": { rule: changes, json: { users: [] }, uses: true },
  "GET /tracks/{id}/favoriters": { rule: reads },
  "GET /tracks/{id}/favoriters/{user}": { rule: reads },
  "GET /tracks/{id}/reposters": { rule: reads },
  "GET /tracks/{id}/related": { rule: reads },
  "POST /tracks/{id}/plays": { rule: plays },
  "POST /likes/tracks/{id}": { rule: favorites, uses: true },
  "DELETE /likes/tracks/{id}": { rule: unfavorites, uses: true },
  "POST /reposts/tracks/{id}": { rule: reposts, uses: true },
  "DELETE /reposts/tracks/{id}": { rule: unfavorites, uses: true },
  "GET /tracks/{id}/stream": { rule: plays },
  "GET /tracks/{id}/streams": { rule: plays },
  "GET /tracks/{id}/preview": { rule: previews },
};

/** Part of every title. */
export const WORD = `zq${randomBytes(6).toString("hex")}`;

interface List {
  rule: Listed;
  queries(ids: string): string[];
  /** Requires a user. */
  mine?: true;
}

const EVERYTHING = (ids: string) => [
  `ids=${ids}`,
  `q=${WORD}`,
  `q=${WORD}&ids=${ids}&sort=asc`,
  `q="${WORD}"`,
];

export const LISTS: Record<string, List[]> = {
  "GET /tracks": [
    { rule: listed, queries: EVERYTHING },
    { rule: listedPrivate, queries: (ids) => EVERYTHING(ids).map((query) => `${query}&filter=private`) },
  ],
  "GET /users/{id}/tracks": [{ rule: listed, queries: (ids) => ["", ...EVERYTHING(ids)] }],
  "GET /users/{id}/likes/tracks": [{ rule: listed, queries: (ids) => ["", ...EVERYTHING(ids)] }],
  "GET /me/likes/tracks": [{ rule: listedFavorites, queries: (ids) => ["", ...EVERYTHING(ids)], mine: true }],
  "GET /me/feed/tracks": [
    { rule: listedFeed, queries: () => ["", "access=playable,preview,blocked"], mine: true },
  ],
  "GET /users/{id}/reposts/tracks": [{ rule: listed, queries: (ids) => ["", ...EVERYTHING(ids)] }],
  "GET /me/reposts/tracks": [
    { rule: listedFavorites, queries: (ids) => ["", ...EVERYTHING(ids)], mine: true },
  ],
  "GET /me/activities/tracks": [{ rule: listedHeardOf, queries: () => [""], mine: true }],
  "GET /me/followings/tracks": [
    {
      rule: listedFeed,
      queries: (ids) => ["", "sort=asc", "access=playable,preview,blocked", ...EVERYTHING(ids)],
      mine: true,
    },
  ],
  "GET /me/recently-played/tracks": [
    { rule: listedFavorites, queries: (ids) => ["", "sort=asc", ...EVERYTHING(ids)], mine: true },
    {
      rule: (caller, track) => favored(caller) && listedPrivate(caller, track),
      queries: (ids) => EVERYTHING(ids).map((query) => `${query}&filter=private`),
      mine: true,
    },
  ],
  "GET /me/tracks": [{ rule: owns, queries: (ids) => ["", ...EVERYTHING(ids)], mine: true }],
};
