import { createClient, type PathOf, type Reply, type Schemas } from "soundpost";

/** Addresses and tokens of a running service. */
export interface Where {
  apiUrl: string;
  token: string;
  trackId: number;
  userId: number;
  permalinkUrl: string;
}

type Refused = { track: { sharing: "secret" } };
type Sent = Schemas["TrackChanges"];

/**
 * Compiles only if ids are numbers, sharing is one of two words, lists are arrays, tracks have no other fields, and the
 * page that browsers open is no call.
 */
export const refusals: [true, true, true, true] = [
  isTrue<Refused extends Sent ? false : true>(),
  isTrue<Reply<"get", "/tracks"> extends Schemas["Track"][] ? true : false>(),
  isTrue<"durations" extends keyof Schemas["Track"] ? false : true>(),
  isTrue<"/authorize" extends PathOf<"get"> ? false : true>(),
];

function isTrue<Fact extends true>(): Fact {
  return true as Fact;
}

/** Makes an app's everyday calls. They compile only if the package's types fit the service. */
export async function typicalCalls({ apiUrl, token, trackId, userId, permalinkUrl }: Where) {
  const api = createClient({ apiUrl, token });
  const path = { id: trackId };

  const me = await api.get("/me");
  const username: string = me.username;
  const track: Schemas["Track"] = await api.get("/tracks/{id}", { path });
  const duration: number = track.duration;
  const bpm: number | null = track.bpm;
  const search = await api.get("/tracks", {
    query: { q: "typical", limit: 5, ids: [trackId], "duration[from]": 0 },
  });
  const titles: string[] = search.map(({ title }) => title);
  const changed = await api.put("/tracks/{id}", {
    path,
    body: { track: { title: "Changed", bpm: 120.5, downloadable: true, release_year: 2024, genre: null } },
  });
  const streams = await api.get("/tracks/{id}/streams", { path });
  const hls: string | undefined = streams.hls_aac_160_url;

  const comment = await api.post("/tracks/{id}/comments", {
    path,
    body: { comment: { body: "Hi", timestamp: 1_000 } },
  });
  const at: number | null = comment.timestamp;
  const comments = await api.get("/tracks/{id}/comments", { path, query: { limit: 1 } });
  await api.post("/likes/tracks/{id}", { path });
  const liked = (await api.get("/me/likes/tracks")).length;
  await api.delete("/likes/tracks/{id}", { path });
  await api.put("/me/followings/{userId}", { path: { userId } });
  const { collection: followings } = await api.get("/me/followings");
  const user = await api.get("/users/{id}", { path: { id: userId } });
  const users = await api.get("/users", { query: { q: "nobody" } });

  const playlist = await api.post("/playlists", {
    body: { playlist: { title: "Mine", sharing: "private", tracks: [{ id: trackId }] } },
  });
  const sets = await api.get("/me/playlists", { query: { show_tracks: false } });
  await api.delete("/playlists/{id}", { path: { id: playlist.id } });

  const feed = await api.get("/me/feed", { query: { limit: 10 } });
  const next: string | null | undefined = feed.next_href;
  const resolved = await api.get("/resolve", { query: { url: permalinkUrl } });
  const upload = await api.post("/uploads", { body: { filename: "a.wav", size: 1_000, type: "audio/wav" } });
  const partSize: number = upload.part_size;
  await api.delete("/uploads/{id}", { path: { id: upload.id } });
  const reply: Response = await api.request("get", "/tracks/{id}", { path });
  const etag = reply.headers.get("ETag");

  const counts = { comments, followings, users, sets };
  const lengths = Object.entries(counts).map(([name, list]) => [name, list.length]);
  return {
    username,
    duration,
    bpm,
    titles,
    hls,
    at,
    liked,
    next,
    partSize,
    etag,
    changed: changed.title,
    followers: user.followers_count,
    resolved: "id" in resolved && resolved.id,
    track: playlist.tracks?.[0]?.id,
    ...Object.fromEntries(lengths),
  };
}
