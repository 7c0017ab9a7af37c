import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../functions/tracks/representation.ts";
import { api, type ErrorReply } from "../support/api.ts";
import { anAppToken, type Person, someone } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { aPlayableTrack, aStoredTrack, type StoredTrack } from "../support/tracks.ts";
import { expectErrorObject, UNKNOWN_ID } from "./error-object.ts";

let owner: Person;
let other: Person;
let app: { token: string };
let track: StoredTrack;

beforeAll(async () => {
  [owner, other, app] = await Promise.all([someone(), someone(), anAppToken()]);
  track = await aPlayableTrack(owner);
});

const put = <Body = Track>(fields: unknown, { id } = track, who: Person | { token: string } = owner) =>
  api.as(who).put<Body>(`/tracks/${id}`, { json: { track: fields } });

const putForm = <Body = Track>(fields: Record<string, string>, { id } = track, who = owner) =>
  api.as(who).put<Body>(`/tracks/${id}`, {
    form: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`track[${name}]`, value])),
  });

const get = async ({ id } = track) => (await api.as(owner).get<Track>(`/tracks/${id}`)).body;

const rowOf = async ({ id }: { id: number }) => {
  const [row] = await sql("select * from tracks where id = $1", [id]);
  return row;
};

describe("what an owner writes", () => {
  const WRITTEN = () => ({
    title: "Two words & more",
    sharing: "private",
    embeddable_by: "me",
    purchase_url: "https://shop.example/1?a=b&c=d",
    purchase_title: "Buy it",
    description: "<p>Made <strong>at home</strong></p>",
    label_id: other.id,
    label_name: "Their label",
    genre: "Trip Hop",
    tag_list: 'rock "hip hop" geo:lat=52.5 note:text="a b"',
    release: "CAT 001",
    release_day: 29,
    release_month: 2,
    release_year: 2024,
    streamable: false,
    downloadable: true,
    commentable: false,
    license: "cc-by-nc-sa",
    track_type: "sound effect",
    video_url: "https://video.example/watch?v=1",
    bpm: 127.5,
    isrc: "USRC17607839",
    key_signature: "F#m",
    paywall: "preview",
    available_country_codes: ["DE", "FR"],
  });

  test("is kept and shown, from JSON", async () => {
    const reply = await put({ ...WRITTEN(), metadata_artist: "Somebody else" });
    expect(reply.status).toBe(200);
    const label = { id: other.id, kind: "user", username: other.username };
    expect(reply.body).toMatchObject({ ...WRITTEN(), metadata_artist: "Somebody else", label });
    expect(await get()).toEqual(reply.body);
  });

  test("is kept and shown, from a form, whose values are all text", async () => {
    const fresh = await aPlayableTrack(owner);
    const texts = Object.fromEntries(Object.entries(WRITTEN()).map(([name, value]) => [name, String(value)]));
    const reply = await putForm(texts, fresh);
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject(WRITTEN());
    expect(
      (await putForm({ streamable: "1", commentable: "true", downloadable: "0" }, fresh)).body,
    ).toMatchObject({
      streamable: true,
      commentable: true,
      downloadable: false,
    });
  });

  const CLEARABLE = [
    ...["purchase_url", "purchase_title", "description", "label_id", "label_name", "genre", "release"],
    ...["release_day", "release_month", "release_year", "track_type", "video_url", "bpm", "isrc"],
    ...["key_signature", "paywall", "available_country_codes"],
  ];

  test.for([
    ["null in JSON", (names: string[]) => put(Object.fromEntries(names.map((name) => [name, null])))],
    ["nothing in JSON", (names: string[]) => put(Object.fromEntries(names.map((name) => [name, ""])))],
    ["nothing in a form", (names: string[]) => putForm(Object.fromEntries(names.map((name) => [name, ""])))],
  ] as const)("goes away by %s", async ([, clear]) => {
    await put(WRITTEN());
    const { status, body } = await clear(CLEARABLE);
    expect(status).toBe(200);
    expect(body).toMatchObject(Object.fromEntries(CLEARABLE.map((name) => [name, null])));
    expect(body).toMatchObject({ label: null, title: WRITTEN().title, tag_list: WRITTEN().tag_list });
    for (const none of [null, ""]) expect((await put({ tag_list: none })).body.tag_list).toBe("");
  });

  test("leaves alone what it does not name, and the time too where nothing is new", async () => {
    const { body: before } = await put(WRITTEN());
    const changed = await put({ genre: "Dub" });
    expect(changed.body).toEqual({ ...before, genre: "Dub", last_modified: changed.body.last_modified });
    await sql("update tracks set updated_at = '2020-01-01' where id = $1", [track.id]);
    for (const same of [{}, { genre: "Dub" }, { title: WRITTEN().title, unknown: 1 }])
      expect((await put(same)).body.last_modified).toBe("2020/01/01 00:00:00 +0000");
    expect((await put({ genre: "Ska" })).body.last_modified).not.toMatch(/^2020/);
  });

  test("a whole representation sent back changes nothing", async () => {
    await put({ ...WRITTEN(), metadata_artist: "" });
    const { body } = await put(WRITTEN());
    const again = await put(body);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(body);
    expect(await rowOf(track)).toMatchObject({ artist: null });
  });

  test("the artist is the owner's name where nothing else is said; forms cannot say it", async () => {
    expect((await put({ metadata_artist: "Nina" })).body.metadata_artist).toBe("Nina");
    expect((await put({ artist: "Ignored" })).body.metadata_artist).toBe("Nina");
    expect((await putForm({ metadata_artist: "Ignored" })).body.metadata_artist).toBe("Nina");
    for (const none of [null, "", "  "])
      expect((await put({ metadata_artist: none })).body.metadata_artist).toBe(owner.username);
  });

  test("X41: a release date sets its three parts, and clears them", async () => {
    const { body } = await put({ release_date: "2024-02-29" });
    expect(body).toMatchObject({ release_year: 2024, release_month: 2, release_day: 29 });
    expect(body).not.toHaveProperty("release_date");
    expect((await put({ release_date: "" })).body).toMatchObject({ release_year: null, release_day: null });
  });

  test("a private track made public is new in feeds, a public one is not", async () => {
    const quiet = await aStoredTrack(owner, { sharing: "private" });
    const before = await rowOf(quiet);
    await put({ title: "Still private" }, quiet);
    expect(await rowOf(quiet)).toMatchObject({ published_id: before?.published_id });
    await put({ sharing: "public" }, quiet);
    const published = await rowOf(quiet);
    expect(Number(published?.published_id)).toBeGreaterThan(Number(before?.published_id));
    await put({ title: "Still public", sharing: "public" }, quiet);
    expect(await rowOf(quiet)).toMatchObject({ published_id: published?.published_id });
  });

  test("it is one statement", async () => {
    const reply = await put({ ...WRITTEN(), title: "Counted" });
    expect(reply.headers.get("Server-Timing")).toContain("queries: 1");
  });

  test("Unicode is kept as it was sent: combining marks, right to left, emoji, beyond the BMP", async () => {
    for (const title of ["e\u0301clair", "שלום", "👩‍👩‍👧 🎵", "𝕏 𠜎", "Ａ ﬁ Ⅷ", "日本語"])
      expect((await put({ title, genre: title, tag_list: title })).body).toMatchObject({
        title,
        genre: title,
        tag_list: title,
      });
  });

  test("what holds markup besides the description is kept as text", async () => {
    const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
    const fields = { title: hostile, genre: hostile, label_name: hostile, metadata_artist: hostile };
    const { body } = await put({
      ...fields,
      tag_list: `"${hostile.replaceAll('"', "")}" geo:lat=52.5`,
      sharing: "public",
    });
    expect(body).toMatchObject(fields);
    const page = await (await fetch(body.permalink_url, { headers: { Accept: "text/html" } })).text();
    expect(page).toContain("&lt;script&gt;alert(1)");
    expect(page).not.toMatch(/<script>alert|<img src=x|geo:lat/);
  });
});

describe("X107: permalinks", () => {
  test("are lower case and one's own; a taken one is refused", async () => {
    const [first, second] = [await aStoredTrack(owner), await aStoredTrack(owner)];
    expect((await put({ permalink: "My-Song_2" }, first)).body.permalink).toBe("my-song_2");
    const taken = await put<ErrorReply>({ permalink: "MY-SONG_2", title: "No" }, second);
    expect([taken.status, taken.body.errors[0]?.error_message]).toEqual([
      422,
      expect.stringMatching(/^track\[permalink\]/),
    ]);
    expect((await get(second)).title).not.toBe("No");
    expect((await put({ permalink: "my-song_2", title: "Same" }, first)).status).toBe(200);
    const theirs = await aStoredTrack(other);
    expect((await put({ permalink: "my-song_2" }, theirs, other)).status).toBe(200);
  });

  test("of many requests for one, one gets it", async () => {
    const tracks = await Promise.all(Array.from({ length: 6 }, () => aStoredTrack(owner)));
    const replies = await Promise.all(tracks.map((each) => put({ permalink: "wanted" }, each)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
  });

  test.for([
    ...["me", "tracks", "oauth", "api", "connect", "sets", "Sets", "..", ".", "", " ", "a/b", "a b", "a.b"],
    ...["-a", "a-", "_", "é", "ａ", "a\u200bb", "x".repeat(101), "%2e", "s\u0131ets"],
  ])("%j is refused", async (permalink) => {
    const reply = await put<ErrorReply>({ permalink });
    expect([reply.status, reply.body.errors[0]?.error_message]).toEqual([
      422,
      expect.stringMatching(/^track\[permalink\]/),
    ]);
  });
});

describe("what is refused", () => {
  const FIELDS: [name: string, value: unknown][] = [
    ["title", ""],
    ["title", null],
    ["title", " \n"],
    ["title", "\u200b\u00a0\u202e\ufeff"],
    ["title", ["X33"]],
    ["title", { x: 33 }],
    ["title", "X28 \0"],
    ["title", "X29 \ud800"],
    ["title", "x".repeat(256)],
    ["sharing", "secret"],
    ["sharing", null],
    ["embeddable_by", "you"],
    ["license", "mit"],
    ["license", null],
    ["track_type", "opera"],
    ["streamable", "perhaps"],
    ["streamable", null],
    ["downloadable", 1.5],
    ["commentable", []],
    ["paywall", "playable"],
    ["available_country_codes", []],
    ["available_country_codes", ["DE", "XX"]],
    ["available_country_codes", "Germany"],
    ["available_country_codes", [1]],
    ["description", "x".repeat(20_001)],
    ["description", "&".repeat(20_000)],
    ["description", "X28 \0"],
    ["description", ["x"]],
    ["genre", "g".repeat(101)],
    ["genre", 7],
    ["label_name", "X29 \udfff"],
    ["tag_list", "t".repeat(2_001)],
    ["tag_list", Array.from({ length: 101 }, (_, n) => `t${n}`).join(" ")],
    ["tag_list", ["rock"]],
    ["purchase_url", "javascript:alert(1)"],
    ["purchase_url", "//evil.example"],
    ["purchase_url", "ftp://x.example"],
    ["purchase_url", "http://"],
    ["purchase_url", "https://a b"],
    ["purchase_url", `https://x.example/${"y".repeat(2_000)}`],
    ["video_url", "data:text/html,x"],
    ["video_url", 5],
    ["bpm", 0],
    ["bpm", -1],
    ["bpm", 1_001],
    ["bpm", "NaN"],
    ["bpm", "1e3"],
    ["bpm", "Infinity"],
    ["bpm", true],
    ["label_id", 0],
    ["label_id", -1],
    ["label_id", 1.5],
    ["label_id", "1e3"],
    ["label_id", "٣"],
    ["label_id", 2 ** 53],
    ["label_id", `${2n ** 63n}`],
    ["label_id", "9".repeat(400)],
    ["label_id", UNKNOWN_ID],
    ["release_day", 0],
    ["release_day", 32],
    ["release_month", 13],
    ["release_month", "X"],
    ["release_year", 0],
    ["release_year", 300_000],
    ["release_date", "2024-02-30"],
    ["release_date", "2023-02-29"],
    ["release_date", "300000-01-01"],
    ["release_date", "0000-01-01"],
    ["release_date", "infinity"],
    ["release_date", "now"],
    ["release_date", "2024-01-01T00:00:00Z"],
    ["release_date", "2024-1-1"],
    ["release_date", "01/02/2024"],
    ["release_date", 20_240_101],
    ["asset_data", "X20"],
    ["asset_data", null],
    ["asset_data", { filename: "x.wav" }],
  ];

  test.for(FIELDS)("X17, X28, X29, X33, X38, X40, X41: %s %j", async ([name, value]) => {
    const before = await rowOf(track);
    const reply = await put<ErrorReply>({ genre: "Changed", [name]: value });
    expect([reply.status, reply.body.errors.map(({ error_message }) => error_message)]).toEqual([
      422,
      [expect.stringContaining(`track[${name}]: `)],
    ]);
    expect(reply.body.errors[0]?.error_message).not.toMatch(/Invalid input$/);
    expectErrorObject(reply);
    expect(await rowOf(track)).toEqual(before);
  });

  test("X41: a day that its month does not have, however the two come together", async () => {
    await put({ release_date: "2024-01-31" });
    for (const fields of [{ release_month: 2 }, { release_month: 4 }, { release_month: 2, release_day: 30 }])
      expect((await put(fields)).status).toBe(422);
    expect((await put({ release_month: 2, release_day: 29 })).status).toBe(200);
    expect((await put({ release_year: 2023 })).status).toBe(422);
    expect((await put({ release_year: null })).status).toBe(200);
  });

  test("a body without the wrapper is malformed, one with a wrong wrapper invalid", async () => {
    const status = async (json: unknown) => (await api.as(owner).put(`/tracks/${track.id}`, { json })).status;
    expect(await Promise.all([{}, { title: "x" }, [], null, "x"].map(status))).toEqual([
      400, 400, 400, 400, 400,
    ]);
    expect(await Promise.all([[], "x", null, 1].map((wrapper) => status({ track: wrapper })))).toEqual([
      422, 422, 422, 422,
    ]);
  });

  test("X20: asset_data in a form", async () => {
    expect((await putForm({ asset_data: "RIFF" })).status).toBe(422);
  });

  test("X17: read-only fields change nothing", async () => {
    const forged = {
      id: 5,
      user_id: other.id,
      user: { id: other.id },
      state: "failed",
      access: "blocked",
      playback_count: 99,
      download_count: 99,
      permalink_url: "https://example.com/",
      created_at: "2001/01/01 00:00:00 +0000",
      secret_token: "s-chosen",
      stream_url: "https://example.com/",
      duration: 1,
      media_prefix: "t/1/",
      original_key: "in/1",
      secret_hash: "00",
      published_id: 1,
      app_id: 1,
      artwork_version: "x",
      sanitizer_version: 99,
    };
    const before = await rowOf(track);
    expect((await put(forged)).status).toBe(200);
    expect(await rowOf(track)).toEqual(before);
    expect((await putForm({ user_id: "1", state: "failed", media_prefix: "t/1/" })).status).toBe(200);
    expect(await rowOf(track)).toEqual(before);
  });

  test("X21: prototypes are no fields", async () => {
    const raw = `{"track": {"__proto__": {"title": "polluted"}, "constructor": {"prototype": {"genre": "x"}}}, "__proto__": {"a": 1}}`;
    const before = await rowOf(track);
    const headers = { "Content-Type": "application/json" };
    expect((await api.as(owner).put(`/tracks/${track.id}`, { raw, headers })).status).toBe(200);
    const form = { "track[__proto__]": "x", "track[constructor]": "y", "__proto__[title]": "polluted" };
    expect((await api.as(owner).put(`/tracks/${track.id}`, { form })).status).toBe(200);
    expect(await rowOf(track)).toEqual(before);
  });
});

describe("X5: whose track it is", () => {
  test.for(["put", "delete"] as const)("%s: 403 where they see it, 404 where not", async (method) => {
    const visible = await aPlayableTrack(owner);
    const hidden = await aPlayableTrack(owner, { sharing: "private" });
    const before = [await rowOf(visible), await rowOf(hidden)];
    const ask = (who: { token: string }, id: number) =>
      api
        .as(who)
        [method]<ErrorReply>(`/tracks/${id}`, method === "put" ? { json: { track: { title: "x" } } } : {});
    expect((await ask(other, visible.id)).status).toBe(403);
    const [theirs, unknown] = [await ask(other, hidden.id), await ask(other, UNKNOWN_ID)];
    expect([theirs.status, unknown.status]).toEqual([404, 404]);
    expect(theirs.body).toEqual(unknown.body);
    expect((await ask(app, visible.id)).status).toBe(401);
    expect([await rowOf(visible), await rowOf(hidden)]).toEqual(before);
  });
});
