import { beforeAll, describe, expect, test } from "vitest";
import { expectErrorObject, UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";
import { changing, rowOf } from "./track-changes.support.ts";

let owner: Person;
let other: Person;
let app: { token: string };
let track: StoredTrack;

beforeAll(async () => {
  [owner, other, app] = await Promise.all([createUser(), createUser(), createAppToken()]);
  track = await createPlayableTrack(owner);
});

const { put, putForm } = changing(() => ({ owner, track }));

describe("a refused update", () => {
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

  test.for(FIELDS)("%s %j (X17, X28, X29, X33, X38, X40, X41)", async ([name, value]) => {
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

  test("with an impossible day of the month, in one or two requests (X41)", async () => {
    await put({ release_date: "2024-01-31" });
    for (const fields of [{ release_month: 2 }, { release_month: 4 }, { release_month: 2, release_day: 30 }])
      expect((await put(fields)).status).toBe(422);
    expect((await put({ release_month: 2, release_day: 29 })).status).toBe(200);
    expect((await put({ release_year: 2023 })).status).toBe(422);
    expect((await put({ release_year: null })).status).toBe(200);
  });

  test("without the wrapper is malformed, with a wrong one invalid", async () => {
    const status = async (json: unknown) => (await api.as(owner).put(`/tracks/${track.id}`, { json })).status;
    expect(await Promise.all([{}, { title: "x" }, [], null, "x"].map(status))).toEqual([
      400, 400, 400, 400, 400,
    ]);
    expect(await Promise.all([[], "x", null, 1].map((wrapper) => status({ track: wrapper })))).toEqual([
      422, 422, 422, 422,
    ]);
  });

  test("with asset_data in a form, as text or as a file, says the same as in JSON (X20)", async () => {
    const file = new FormData();
    file.set("track[asset_data]", new Blob(["RIFF"]), "song.wav");
    const replies = await Promise.all([
      put<ErrorReply>({ asset_data: "RIFF" }),
      putForm<ErrorReply>({ asset_data: "RIFF" }),
      api.as(owner).put<ErrorReply>(`/tracks/${track.id}`, { raw: file }),
    ]);
    const field = "track[asset_data]";
    const errors = [{ error_message: `${field}: the audio of a track cannot be replaced`, field }];
    expect(replies.map(({ status, body }) => [status, body.errors])).toEqual(Array(3).fill([422, errors]));
  });

  test("read-only fields change nothing (X17)", async () => {
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

  test("prototypes are not fields (X21)", async () => {
    const raw = `{"track": {"__proto__": {"title": "polluted"}, "constructor": {"prototype": {"genre": "x"}}}, "__proto__": {"a": 1}}`;
    const before = await rowOf(track);
    const headers = { "Content-Type": "application/json" };
    expect((await api.as(owner).put(`/tracks/${track.id}`, { raw, headers })).status).toBe(200);
    const form = { "track[__proto__]": "x", "track[constructor]": "y", "__proto__[title]": "polluted" };
    expect((await api.as(owner).put(`/tracks/${track.id}`, { form })).status).toBe(200);
    expect(await rowOf(track)).toEqual(before);
  });
});

describe("another user's track (X5)", () => {
  test.for(["put", "delete"] as const)("by %s: 403 if visible, otherwise 404", async (method) => {
    const visible = await createPlayableTrack(owner);
    const hidden = await createPlayableTrack(owner, { sharing: "private" });
    const before = [await rowOf(visible), await rowOf(hidden)];
    const ask = (who: { token: string }, id: number) =>
      api
        .as(who)
        [method]<ErrorReply>(`/tracks/${id}`, method === "put" ? { json: { track: { title: "x" } } } : {});
    expect((await ask(other, visible.id)).status).toBe(403);
    const [theirs, unknown] = [await ask(other, hidden.id), await ask(other, UNKNOWN_ID)];
    expect([theirs.status, unknown.status]).toEqual([404, 404]);
    expect(theirs.body).toEqual({ ...unknown.body, request_id: theirs.headers.get("X-Request-Id") });
    expect((await ask(app, visible.id)).status).toBe(401);
    expect([await rowOf(visible), await rowOf(hidden)]).toEqual(before);
  });
});
