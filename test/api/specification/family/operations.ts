import type { Options } from "../../../support/api.ts";

export interface Operation {
  /** Method and path. Names in braces are fixtures. */
  request: string;
  /** Documented status and schema of the body; `-` has none. */
  replies: Record<number, string>;
  sent?: Options;
}

const TRACKS = "Tracks|[Track]";
const PLAYLISTS = "Playlists|[Playlist]";
const PAGE = "limit=1&linked_partitioning=true";
const ALL = "access=playable,preview,blocked";

const list = (path: string, schema: string, query = "", ...errors: number[]): Operation => ({
  request: `GET ${path}${query && `?${query}`}`,
  replies: { 200: schema, 401: "Error", ...Object.fromEntries(errors.map((status) => [status, "Error"])) },
});

const write = (request: string, replies: Record<number, string>, json?: unknown): Operation => ({
  request,
  replies,
  ...(json !== undefined && { sent: { json } }),
});

const [E401, E404] = [{ 401: "Error" }, { 404: "Error" }];

/** Every operation of the family's official document, with all its parameters, in an order that can run. */
export const OPERATIONS: Operation[] = [
  list("/me", "Me"),
  list("/me/activities", "Activities", `${ALL}&limit=50`),
  list("/me/activities", "Activities", `${ALL}&limit=1`),
  list("/me/activities/all/own", "Activities", `${ALL}&limit=50`),
  list("/me/activities/tracks", "Activities", `${ALL}&limit=50`),
  list("/me/feed", "Activities", `${ALL}&limit=50`),
  list("/me/feed/tracks", "Activities", `${ALL}&limit=50`),
  list("/me/recently-played/tracks", TRACKS, ALL),
  list("/me/likes/tracks", TRACKS, `${ALL}&${PAGE}`),
  list("/me/likes/playlists", PLAYLISTS, PAGE),
  list("/me/followings", "Users", "limit=1&offset=0"),
  list("/me/followings/tracks", "[Track]", `${ALL}&limit=1&offset=0`),
  list("/me/followings/{fan}", "User", "", 404),
  write("PUT /me/followings/{label}", { 200: "Done", 201: "User", ...E401, ...E404, 422: "Error" }),
  write("DELETE /me/followings/{label}", { 200: "Done", ...E401, ...E404, 422: "Error" }),
  list("/me/followers", "Users", "limit=1"),
  list("/me/followers/{fan}", "User"),
  list("/me/playlists", PLAYLISTS, `show_tracks=true&${PAGE}`, 404),
  list("/me/tracks", TRACKS, `sort=asc&${PAGE}`),
  list("/me/reposts/tracks", TRACKS, `${ALL}&${PAGE}`),
  list("/me/reposts/playlists", PLAYLISTS, PAGE),
  list("/tracks", TRACKS, `q=Full&${PAGE}&offset=0&${ALL}`, 400, 500),
  list(
    "/tracks",
    TRACKS,
    "urns={full}&genres=Folk&tags=one&bpm[from]=1&bpm[to]=900&duration[from]=1&duration[to]=90000000&created_at[from]=2020-01-01 00:00:00&created_at[to]=2099-01-01 00:00:00",
  ),
  write("POST /tracks", { 201: "Track", 400: "Error", ...E401, 422: "Error" }),
  list("/playlists", PLAYLISTS, `q=Full&access=playable&show_tracks=true&${PAGE}&offset=0`, 400),
  write("POST /playlists", { 201: "Playlist", ...E401, ...E404 }, { playlist: { title: "Bare" } }),
  list("/users", "Users", `q={name}&urns={ana},{fan}&${PAGE}&offset=0`, 400),
  list("/playlists/{set}", "Playlist", `secret_token={secret}&${ALL}&show_tracks=true`, 400),
  write("PUT /playlists/{spare}", { 200: "Playlist", ...E401, ...E404 }, { playlist: { genre: "Folk" } }),
  write("DELETE /playlists/{spare}", { 200: "-", ...E404 }),
  list("/playlists/{set}/tracks", TRACKS, `secret_token={secret}&${ALL}&linked_partitioning=true`, 400),
  list("/playlists/{set}/reposters", "Users", "limit=1", 404),
  list("/tracks/{full}", "Track", "secret_token={secret}", 404),
  list("/tracks/{bare}", "Track"),
  write("PUT /tracks/{spare-track}", { 200: "Track", 400: "Error", ...E401 }, { track: { genre: "Folk" } }),
  write("DELETE /tracks/{spare-track}", { 200: "-", ...E404 }),
  write(
    "PUT /tracks/{full}/storefront",
    { 200: "Storefront", 400: "Error", ...E401, 403: "Error", ...E404 },
    { title: "LP", type: "vinyl", link: "https://shop.example/" },
  ),
  {
    request: "GET /tracks/{full}/preview?secret_token={secret}",
    replies: { 302: "Found", ...E401, ...E404 },
  },
  list("/tracks/{full}/streams", "Streams", "secret_token={secret}", 404),
  list("/tracks/{full}/comments", "Comments|[Comment]", `${PAGE}&offset=0`, 404),
  write(
    "POST /tracks/{full}/comments",
    { 201: "Comment", 422: "Error", 429: "TooManyRequests" },
    { comment: { body: "Timed", timestamp: "500" } },
  ),
  list("/tracks/{full}/favoriters", "Users", PAGE, 404),
  list("/tracks/{full}/reposters", "Users", "limit=1", 404),
  list("/tracks/{full}/related", TRACKS, `${ALL}&${PAGE}&offset=0`, 404),
  { request: "GET /resolve?url={page}", replies: { 302: "Found", ...E404 } },
  list("/users/{ana}", "User", "", 404),
  list("/users/{bare-user}", "User"),
  list("/users/{ana}/related", "Users", `${PAGE}&offset=0`, 404),
  list("/users/{ana}/favorites", TRACKS, PAGE),
  list("/users/{ana}/followers", "Users", "limit=1"),
  list("/users/{ana}/followings", "Users", "limit=1"),
  list("/users/{ana}/followings/{fan}", "User", "", 404),
  list("/users/{ana}/playlists", PLAYLISTS, `access=playable&show_tracks=true&${PAGE}`),
  list("/users/{ana}/tracks", TRACKS, `${ALL}&sort=desc&${PAGE}`),
  list("/users/{ana}/web-profiles", "[WebProfile]", "limit=1"),
  list("/users/{ana}/likes/tracks", TRACKS, `${ALL}&${PAGE}`, 400, 404),
  list("/users/{ana}/likes/playlists", PLAYLISTS, PAGE, 400, 404),
  list("/users/{ana}/reposts/tracks", TRACKS, `${ALL}&${PAGE}`, 400, 404),
  list("/users/{ana}/reposts/playlists", PLAYLISTS, PAGE, 400, 404),
  ...["tracks/{bare}", "playlists/{set}"].flatMap((what) => [
    write(`POST /likes/${what}`, {
      200: "Done",
      400: "Error",
      ...E401,
      ...E404,
      429: "TooManyRequests",
    }),
    write(`DELETE /likes/${what}`, { 200: "Done", 400: "Error", ...E404 }),
    write(`POST /reposts/${what}`, { 201: "-", ...E401, ...E404 }),
    write(`DELETE /reposts/${what}`, { 200: "-", ...E401, ...E404 }),
  ]),
  write("POST /sign-out", { 200: "-" }),
];
