import type { components, paths } from "generated-api";
import createClient from "openapi-fetch";

type Schemas = components["schemas"];

/** Addresses and tokens of a running service. */
export interface Where {
  url: string;
  token: string;
  appToken: string;
  trackId: number;
  userId: number;
  permalinkUrl: string;
}

/** A page comes as an object with `linked_partitioning`, and as a bare array without. */
const itemsOf = <Item>(list: Item[] | { collection: Item[] } | undefined): Item[] =>
  Array.isArray(list) ? list : (list?.collection ?? []);

type RefusedBody = { track: { sharing: "secret" } };
type UpdateBody = NonNullable<paths["/tracks/{id}"]["put"]["requestBody"]>["content"];

/** Compiles only if an id is a number, sharing is one of two words, and no track has other fields. */
export const refusals: [true, true, true] = [
  isTrue<paths["/tracks/{id}"]["get"]["parameters"]["path"]["id"] extends number ? true : false>(),
  isTrue<RefusedBody extends UpdateBody[keyof UpdateBody] ? false : true>(),
  isTrue<"durations" extends keyof Schemas["Track"] ? false : true>(),
];

function isTrue<Fact extends true>(): Fact {
  return true as Fact;
}

/** Makes an app's everyday calls. They compile only if the document gives them JSON's types. */
export async function typicalCalls({ url, token, appToken, trackId, userId, permalinkUrl }: Where) {
  const api = createClient<paths>({ baseUrl: url, headers: { Authorization: `OAuth ${token}` } });
  const asApp = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${appToken}` } });
  const path = { id: trackId };

  const me = await api.GET("/me");
  const username: string | undefined = me.data?.username;

  const track = await asApp.GET("/tracks/{id}", { params: { path } });
  const found: Schemas["Track"] | undefined = track.data;
  const duration: number | undefined = found?.duration;
  const bpm: number | null | undefined = found?.bpm;
  const streamable: boolean | undefined = found?.streamable;
  const type: "remix" | "podcast" | string | null | undefined = found?.track_type;

  const search = await asApp.GET("/tracks", {
    params: {
      query: { q: "typical", limit: 5, linked_partitioning: true, "duration[from]": 0, ids: [trackId] },
    },
  });
  const titles: string[] = itemsOf(search.data).map(({ title }) => title);

  const changed = await api.PUT("/tracks/{id}", {
    params: { path },
    body: { track: { title: "Changed", bpm: 120.5, downloadable: true, release_year: 2024, genre: null } },
  });
  const streams = await api.GET("/tracks/{id}/streams", { params: { path } });
  const hls: string | undefined = streams.data?.hls_aac_160_url;

  const comment = await api.POST("/tracks/{id}/comments", {
    params: { path, header: { "Idempotency-Key": crypto.randomUUID() } },
    body: { comment: { body: "Hello", timestamp: 1_000 } },
  });
  const at: number | null | undefined = comment.data?.timestamp;
  const comments = await api.GET("/tracks/{id}/comments", { params: { path, query: { limit: 1 } } });

  const like = await api.POST("/likes/tracks/{id}", { params: { path } });
  const unlike = await api.DELETE("/likes/tracks/{id}", { params: { path } });
  const follow = await api.PUT("/me/followings/{userId}", { params: { path: { userId } } });
  const followings = await api.GET("/me/followings", {});
  const user = await asApp.GET("/users/{id}", { params: { path: { id: userId } } });
  const followers: number | undefined = user.data?.followers_count;
  const users = await asApp.GET("/users", { params: { query: { q: "nobody" } } });

  const playlist = await api.POST("/playlists", {
    body: { playlist: { title: "Mine", sharing: "private", tracks: [{ id: trackId }] } },
  });
  const set: Schemas["Playlist"] | undefined = playlist.data;
  const playlistPath = { id: set?.id ?? 0 };
  const playlists = await api.GET("/me/playlists", { params: { query: { show_tracks: false } } });
  const removed = await api.DELETE("/playlists/{id}", { params: { path: playlistPath } });

  const feed = await api.GET("/me/feed", { params: { query: { limit: 10 } } });
  const next: string | null | undefined = feed.data?.next_href;
  const resolved = await asApp.GET("/resolve", { params: { query: { url: permalinkUrl } } });
  const upload = await api.POST("/uploads", {
    body: { filename: "a.wav", size: 1_000, type: "audio/wav" },
  });
  const partSize: number | undefined = upload.data?.part_size;
  const aborted = await api.DELETE("/uploads/{id}", { params: { path: { id: upload.data?.id ?? 0 } } });

  const missing = await api.GET("/tracks/{id}", { params: { path: { id: 1 } } });
  const reason: string | undefined = missing.error?.errors[0]?.error_message;

  const replies = {
    me,
    track,
    search,
    changed,
    streams,
    comment,
    comments,
    like,
    unlike,
    follow,
    followings,
    user,
    users,
    playlist,
    playlists,
    removed,
    feed,
    resolved,
    upload,
    aborted,
    missing,
  };
  const statuses = Object.entries(replies).map(([name, { response }]) => [name, response.status] as const);
  return {
    statuses: Object.fromEntries(statuses),
    values: { username, duration, bpm, streamable, type, titles, hls, at, followers, next, partSize, reason },
  };
}
