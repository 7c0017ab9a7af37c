import type { Options } from "../../support/api.ts";

type Sent = Options & { as?: "ben" };

/**
 * A row of the tables of endpoints: request, documented status and shape of the reply. Names in braces are
 * fixtures. Rows run in order and may depend on earlier ones.
 */
export type Row = [request: string, status: number, says?: "list" | "collection" | object, sent?: Sent];

const OK = { status: "200 - OK" };
const USER = { kind: "user" };
const TRACK = { kind: "track" };
const PLAYLIST = { kind: "playlist" };
const COMMENT = { kind: "comment" };

const BEN = { as: "ben" } as const;

export const TABLES: Record<string, Row[]> = {
  "Current user": [
    ["GET /me", 200, USER],
    ["GET /me/tracks", 200, "list"],
    ["GET /me/playlists?show_tracks=false&limit=5&linked_partitioning=true", 200, "collection"],
    ["PUT /me/followings/{ben}", 201, USER],
    ["PUT /me/followings/{ben}", 200, { status: "200 - Successful" }],
    ["PUT /me/followings/{ana}", 422],
    ["PUT /me/followings/1", 404],
    ["GET /me/followings", 200, "collection"],
    ["GET /me/followings/{ben}", 200, USER],
    ["GET /me/followers", 200, "collection"],
    ["GET /me/comments", 200, "list"],
    ["PUT /me/favorites/{track}", 200, OK],
    ["PUT /me/favorites/{track}", 200, OK],
    ["GET /me/favorites", 200, "list"],
    ["GET /me/favorites/{track}", 200, TRACK],
    ["DELETE /me/favorites/{track}", 200, OK],
    ["GET /me/favorites/{track}", 404],
    ["GET /me/web-profiles", 200, "list"],
    ["GET /me/activities?limit=5&linked_partitioning=on", 200, "collection"],
    ["GET /me/activities?linked_partitioning=perhaps", 422],
    ["GET /me/activities/tracks/affiliated", 200, "collection"],
    ["GET /me/activities/tracks/exclusive", 200, "collection"],
    ["GET /me/activities/all/own", 200, "collection"],
    ["GET /me/connections", 200, "list"],
    [
      "POST /me/connections",
      202,
      { authorize_url: "" },
      { form: { service: "twitter", redirect_uri: "https://client.example/" } },
    ],
    ["POST /me/connections", 400, {}, { form: { service: "twitter" } }],
    ["GET /me/connections/1", 404],
  ],

  Users: [
    ["GET /users?q={ben-name}", 200, "list"],
    ["GET /users/{ben}", 200, USER],
    ["GET /users/1", 404],
    ["GET /users/{ana}/tracks", 200, "list"],
    ["GET /users/{ana}/playlists", 200, "list"],
    ["GET /users/{ana}/followings", 200, "collection"],
    ["GET /users/{ana}/followings/{ben}", 200, USER],
    ["DELETE /users/{ana}/followings/{ben}", 200, OK],
    ["PUT /users/{ana}/followings/{ben}", 201, USER],
    ["PUT /users/{ben}/followings/{ana}", 403],
    ["GET /users/{ben}/followers", 200, "collection"],
    ["GET /users/{ben}/followers/{ana}", 200, USER],
    ["GET /users/{ana}/followers/{ben}", 404],
    ["GET /users/{ana}/comments", 200, "list"],
    ["PUT /users/{ana}/favorites/{track}", 200, OK],
    ["GET /users/{ana}/favorites", 200, "list"],
    ["GET /users/{ana}/favorites/{track}", 200, TRACK],
    ["DELETE /users/{ana}/favorites/{track}", 200, OK],
    [
      "PUT /users/{ana}/web-profiles",
      200,
      "list",
      { json: { web_profiles: [{ url: "https://example.com/" }] } },
    ],
    ["GET /users/{ana}/web-profiles", 200, "list"],
    ["DELETE /users/{ana}/web-profiles", 200, OK],
  ],

  Tracks: [
    ["GET /tracks", 200, "list"],
    ["GET /tracks?limit=1&linked_partitioning=true", 200, "collection"],
    ["GET /tracks/{track}", 200, TRACK],
    ["GET /tracks/1", 404],
    [
      "PUT /tracks/{track}",
      200,
      { metadata_artist: "Another" },
      { json: { track: { metadata_artist: "Another" } } },
    ],
    ["GET /tracks/{track}/stream", 200, { hls_aac_160_url: "" }],
    ["GET /tracks/{track}/streams", 200, { http_mp3_128_url: "" }],
    ["GET /tracks/{blocked}/streams", 403, {}, BEN],
    [
      "POST /tracks/{track}/comments",
      201,
      { body: "Said", timestamp: 1 },
      { json: { comment: { body: "Said", timestamp: 1 } } },
    ],
    ["POST /tracks/{blocked}/comments", 403, {}, { json: { comment: { body: "Said" } }, ...BEN }],
    ["GET /tracks/{track}/comments?limit=1", 200, "list"],
    ["GET /tracks/{track}/comments/{remark}", 200, COMMENT],
    ["GET /comments/{remark}", 200, COMMENT],
    [
      "PUT /tracks/{track}/comments/{remark}",
      200,
      { body: "Better" },
      { json: { comment: { body: "Better" } } },
    ],
    ["DELETE /tracks/{track}/comments/{remark}", 200, OK],
    ["GET /comments/{remark}", 404],
    ["POST /likes/tracks/{track}", 200, OK, BEN],
    ["POST /likes/tracks/{track}", 200, OK, BEN],
    ["GET /tracks/{track}/favoriters", 200, "list"],
    ["GET /tracks/{track}/favoriters/{ben}", 200, USER],
    ["GET /tracks/{track}/favoriters/{ana}", 404],
    ["GET /tracks/{track}/secret-token", 200, { kind: "secret-token", token: "", uri: "", resource_uri: "" }],
    ["PUT /tracks/{track}/secret-token", 200, { kind: "secret-token" }],
    ["GET /tracks/{track}/download", 302],
    ["GET /tracks/{blocked}/download", 404, {}, BEN],
    ["GET /tracks/{track}/attachments", 200, "list"],
  ],

  Playlists: [
    [
      "POST /playlists",
      201,
      { kind: "playlist", sharing: "private" },
      { json: { playlist: { title: "New", sharing: "private" } } },
    ],
    ["GET /playlists/{set}?show_tracks=false", 200, PLAYLIST],
    [
      "PUT /playlists/{set}",
      200,
      { genre: "Folk", track_count: 1 },
      { json: { playlist: { genre: "Folk" } } },
    ],
    ["GET /playlists/{set}/secret-token", 200, { kind: "secret-token" }],
    ["PUT /playlists/{set}/secret-token", 200, { kind: "secret-token" }],
    ["PUT /playlists/{set}", 403, {}, { json: { playlist: { genre: "Mine" } }, ...BEN }],
    ["POST /likes/playlists/{set}", 200, OK, BEN],
    ["PUT /playlists/{set}/tracks", 200, { track_count: 0 }, { json: { tracks: [] } }],
    ["DELETE /playlists/{set}", 200, OK],
  ],

  "Resolve and apps": [
    ["GET /resolve?url={track-page}", 200, TRACK],
    ["GET /resolve?url={ana-page}", 200, USER],
    ["GET /resolve?url={app-page}", 200, { kind: "app" }],
    ["GET /resolve", 400],
    ["GET /apps/{app}", 200, { kind: "app" }],
    ["GET /apps/1", 404],
    ["DELETE /tracks/{track}", 403, {}, BEN],
    ["DELETE /tracks/{track}", 200, OK],
    ["GET /tracks/{track}", 404],
  ],
};
