/** First path segments of the API, with those still to come: never a user's name, and their errors are never pages. */
const API_SEGMENTS = [
  ".well-known",
  "apps",
  "comments",
  "connect",
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

/** A user's permalink in a route's path. Ends by a slash there, and by nothing where the router splits paths first. */
export const USER: `:user{${string}}` = `:user{(?!(?:${API_SEGMENTS.map((word) => word.replace(".", "\\.")).join("|")})(?:/|$))[^/]+}`;

export const isApiPath = (path: string): boolean =>
  API_SEGMENTS.includes(path.split("/")[1]?.replace(/\.(json|xml|jsonp)$/, "") ?? "") ||
  path === "/openapi.json";
