/**
 * First path segments of the API, including future ones. They are never usernames, and their errors are never
 * pages.
 */
const API_SEGMENTS = [
  ".well-known",
  "apps",
  "comments",
  "connect",
  "connections",
  "docs",
  "healthz",
  "images",
  "likes",
  "me",
  "media",
  "oauth",
  "oauth2",
  "oembed",
  "openapi.json",
  "playlists",
  "readyz",
  "reposts",
  "resolve",
  "sign-out",
  "tracks",
  "uploads",
  "users",
];

/**
 * A user's permalink in a route's path. It ends at a slash, or at the end if the router splits paths first.
 */
export const USER: `:user{${string}}` = `:user{(?!(?:${API_SEGMENTS.map((word) => word.replace(".", "\\.")).join("|")})(?:/|$))[^/]+}`;

/** The id in a route's path. */
export const ID = ":id{[1-9][0-9]{0,15}}";

/** A track's permalink in a route's path. No track has the permalink `sets`, under which the next part is a set. */
export const TRACK_PERMALINK = ":track{(?!sets(?:/|$))[^/]+}";

export const isApiPath = (path: string): boolean =>
  API_SEGMENTS.includes(path.split("/")[1]?.replace(/\.(json|xml|jsonp)$/, "") ?? "") ||
  path === "/openapi.json";
