import { beforeAll, describe, expect, test } from "vitest";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { api, type ErrorReply, type Reply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { bucketOf, budgetIn, use } from "./budgets.support.ts";

const HOUR_S = 3_600;

let owner: Person;
let track: StoredTrack;

beforeAll(async () => {
  owner = await createUser();
  track = await createTrack(owner);
});

interface Counted {
  name: string;
  max: number;
  /** Creates a new row each time. `made` must be empty after a refusal. */
  act: (who: Person) => Promise<Reply<ErrorReply>>;
  made: (who: Person) => Promise<unknown[]>;
}

const rowsOf = (table: string) => (who: Person) => sql(`select * from ${table} where user_id = $1`, [who.id]);

const COUNTED: Record<string, Counted> = {
  "a like of a track": {
    name: "likes",
    max: 1_000,
    act: async (who) => api.as(who).post(`/likes/tracks/${(await createTrack(owner)).id}`),
    made: rowsOf("favorites"),
  },
  "a favorite": {
    name: "likes",
    max: 1_000,
    act: async (who) => api.as(who).put(`/me/favorites/${(await createTrack(owner)).id}`),
    made: rowsOf("favorites"),
  },
  "a like of a playlist": {
    name: "likes",
    max: 1_000,
    act: async (who) => api.as(who).post(`/likes/playlists/${(await createPlaylist(owner)).id}`),
    made: rowsOf("playlist_favorites"),
  },
  "a repost of a track": {
    name: "reposts",
    max: 300,
    act: async (who) => api.as(who).post(`/reposts/tracks/${(await createTrack(owner)).id}`),
    made: rowsOf("reposts"),
  },
  "a repost of a playlist": {
    name: "reposts",
    max: 300,
    act: async (who) => api.as(who).post(`/reposts/playlists/${(await createPlaylist(owner)).id}`),
    made: rowsOf("playlist_reposts"),
  },
  "a follow": {
    name: "follows",
    max: 300,
    act: async (who) => api.as(who).put(`/me/followings/${(await createUser()).id}`),
    made: rowsOf("followings"),
  },
  "a comment": {
    name: "comments",
    max: 200,
    act: (who) => api.as(who).post(`/tracks/${track.id}/comments`, { json: { comment: { body: "Buy" } } }),
    made: rowsOf("comments"),
  },
  "a track shared with one person more": {
    name: "shares",
    max: 100,
    act: async (who) => {
      const [own, fan] = [await createTrack(who), await createUser()];
      return api.as(who).put(`/tracks/${own.id}/shared-to/users`, { json: { users: [{ id: fan.id }] } });
    },
    made: (who) =>
      sql("select * from track_shares s join tracks t on t.id = s.track_id where t.user_id = $1", [who.id]),
  },
  "a registered app": {
    name: "app-registrations",
    max: 30,
    act: (who) =>
      api.as(who).post("/me/apps", { json: { name: "Box", redirect_uris: ["https://box.example/"] } }),
    made: (who) => sql("select * from apps where owner_id = $1", [who.id]),
  },
  "a new playlist": {
    name: "playlist-edits",
    max: 1_000,
    act: (who) => api.as(who).post("/playlists", { json: { playlist: { title: "Another" } } }),
    made: rowsOf("playlists"),
  },
};

describe.each(Object.entries(COUNTED))("%s", (_, { name, max, act, made }) => {
  test("counts against its budget, and the reply states the remaining requests", async () => {
    const who = await createUser({ plan: "artist" });
    const replies = [await act(who), await act(who)];
    expect(replies.map(budgetIn)).toEqual([
      { name, remaining: max - 1, resetS: HOUR_S },
      { name, remaining: max - 2, resetS: expect.any(Number) },
    ]);
    expect(replies[0]?.headers.get("RateLimit-Policy")).toBe(`"${name}";q=${max};w=${HOUR_S}`);
  });

  test("429: over budget nothing is created", async () => {
    const who = await createUser({ plan: "artist" });
    await use(who, name, max - 1);
    expect(budgetIn(await act(who))).toMatchObject({ remaining: 0 });
    const before = await made(who);
    const { status, headers, body } = await act(who);
    const wait = Number(headers.get("Retry-After"));
    expect([status, budgetIn({ headers })]).toEqual([429, { name, remaining: 0, resetS: wait }]);
    expect(wait).toBeGreaterThan(500);
    expect(wait).toBeLessThanOrEqual(600);
    expect(body.errors[0]).toMatchObject({
      error_message: expect.stringMatching(/^Too many .+: [\d]+ an hour are allowed$/),
      meta: {
        rate_limit: { bucket: "by-user-of-app", name, max_nr_of_requests: max, time_window: "PT1H" },
        remaining_requests: 0,
        reset_time: expect.stringMatching(/\+0000$/),
      },
    });
    expect(await made(who)).toEqual(before);
  });
});

test("edits of a playlist count, and over budget change nothing", async () => {
  const who = await createUser();
  const { id } = await createPlaylist(who);
  const edits: [string, object][] = [
    [`/playlists/${id}`, { playlist: { title: "Renamed" } }],
    [`/playlists/${id}/tracks`, { tracks: named([track.id]) }],
  ];
  for (const [path, json] of edits) {
    await use(who, "playlist-edits", 10);
    expect(budgetIn(await api.as(who).put(path, { json }))).toMatchObject({ remaining: 989 });
    await use(who, "playlist-edits", 1_000);
    const before = await sql("select * from playlists where id = $1", [id]);
    expect((await api.as(who).put(path, { json })).status).toBe(429);
    expect(await sql("select * from playlists where id = $1", [id])).toEqual(before);
  }
});

test("repeating an existing favorite or repost counts nothing and works over budget", async () => {
  const who = await createUser();
  const playlist = await createPlaylist(owner);
  const standing: ["post" | "put", string, string][] = [
    ["post", `/likes/tracks/${track.id}`, "likes"],
    ["post", `/likes/playlists/${playlist.id}`, "likes"],
    ["post", `/reposts/tracks/${track.id}`, "reposts"],
    ["post", `/reposts/playlists/${playlist.id}`, "reposts"],
    ["put", `/me/followings/${owner.id}`, "follows"],
  ];
  for (const [method, path, name] of standing) {
    expect(budgetIn(await api.as(who)[method](path))).toMatchObject({ name });
    await use(who, name, 10_000);
    const again = await api.as(who)[method](path);
    expect([path, again.status < 300, again.headers.has("RateLimit")]).toEqual([path, true, false]);
    await sql("delete from budgets where bucket like $1", [`${name} ${who.id}%`]);
  }
});

test("undoing works over every budget", async () => {
  const who = await createUser();
  const playlist = await createPlaylist(owner);
  const own = await createPlaylist(who, { tracks: named([track.id]) });
  const comment = await api
    .as(who)
    .post<{ id: number }>(`/tracks/${track.id}/comments`, { json: { comment: { body: "Said" } } });
  const paths = [
    `/likes/tracks/${track.id}`,
    `/likes/playlists/${playlist.id}`,
    `/reposts/tracks/${track.id}`,
    `/reposts/playlists/${playlist.id}`,
  ];
  for (const path of paths) await api.as(who).post(path);
  await api.as(who).put(`/me/followings/${owner.id}`);
  for (const name of ["likes", "reposts", "follows", "comments", "playlist-edits"])
    await use(who, name, 10_000);
  for (const path of [
    ...paths,
    `/me/followings/${owner.id}`,
    `/tracks/${track.id}/comments/${comment.body.id}`,
    `/playlists/${own.id}/tracks/${track.id}`,
    `/playlists/${own.id}`,
  ])
    expect([path, (await api.as(who).delete(path)).status]).toEqual([path, 200]);
});

test("a like counts again after it was taken back", async () => {
  const who = await createUser();
  const remaining: unknown[] = [];
  for (let times = 0; times < 3; times++) {
    remaining.push(budgetIn(await api.as(who).post(`/likes/tracks/${track.id}`)));
    await api.as(who).delete(`/likes/tracks/${track.id}`);
  }
  expect(remaining).toMatchObject([{ remaining: 999 }, { remaining: 998 }, { remaining: 997 }]);
});

test("a budget is exact under concurrent requests (X98)", async () => {
  const who = await createUser();
  await use(who, "comments", 170);
  const posts = Array.from({ length: 40 }, (_, index) =>
    api
      .as(who)
      .post<ErrorReply>(`/tracks/${track.id}/comments`, { json: { comment: { body: `Buy ${index}` } } }),
  );
  const replies = await Promise.all(posts);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(30);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
  expect(await sql("select from comments where user_id = $1", [who.id])).toHaveLength(30);
});

test("an expired window restarts with the next request", async () => {
  const who = await createUser();
  await use(who, "likes", 1_000, -1);
  const { status, headers } = await api.as(who).post(`/likes/tracks/${track.id}`);
  expect([status, budgetIn({ headers })]).toEqual([200, { name: "likes", remaining: 999, resetS: HOUR_S }]);
});

test("a refusal for another reason counts nothing", async () => {
  const who = await createUser();
  await api.as(who).post("/likes/tracks/1");
  await api.as(who).put(`/me/followings/${who.id}`);
  await api.as(who).post("/playlists", { json: { playlist: { title: "Broken", tracks: [{ id: 1 }] } } });
  await api.as(who).post("/tracks/1/comments", { json: { comment: { body: "Nowhere" } } });
  expect(await sql("select from budgets where bucket like $1", [`% ${who.id}%`])).toEqual([]);
});

test("expired windows are swept", async () => {
  const [ended, open] = [await createUser(), await createUser()];
  await use(ended, "likes", 5, -10);
  await use(open, "likes", 5, 500);
  await runCron("*/5 * * * *");
  const rowsLeft = await sql<{ bucket: string }>("select bucket from budgets where bucket in ($1, $2)", [
    bucketOf(ended, "likes"),
    bucketOf(open, "likes"),
  ]);
  expect(rowsLeft).toEqual([{ bucket: bucketOf(open, "likes") }]);
});

test("a refusal has the requested format", async () => {
  const who = await createUser();
  await use(who, "likes", 1_000);
  const xml = await api.as(who).post(`/likes/tracks/${track.id}.xml`);
  expect([xml.status, xml.headers.get("Content-Type")]).toEqual([
    429,
    expect.stringMatching(/^application\/xml/),
  ]);
  expect(budgetIn(xml)).toMatchObject({ name: "likes", remaining: 0 });
});
