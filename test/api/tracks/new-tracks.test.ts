import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { expectErrorObject, UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { invariantsHoldAfterwards } from "../../support/check-invariants.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createReadyUpload, shortWav, words } from "../../support/tracks.ts";

invariantsHoldAfterwards();

let owner: Person;
let other: Person;
let app: { token: string };

const definedIn = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

beforeAll(async () => {
  [owner, other, app] = await Promise.all([createUser(), createUser(), createAppToken()]);
});

describe("a new track", () => {
  let uploads: Upload[];
  const next = () => uploads.pop() ?? Promise.reject(new Error("make more uploads"));

  beforeAll(async () => {
    uploads = [];
    for (let n = 0; n < 5; n++) {
      uploads.push(
        ...(await Promise.all([1, 2, 3, 4].map(() => createReadyUpload(owner, words(), `Take ${n}.wav`)))),
      );
    }
  });

  const create = <Body = Track>(fields: Record<string, unknown>, who = owner) =>
    api.as(who).post<Body>("/tracks", { json: { track: fields } });

  test("gets the documented defaults", async () => {
    const upload = await next();
    const made = await create({ upload_id: upload.id, title: "  First take " });
    expect(made.status).toBe(201);
    expect(made.headers.get("Location")).toBe(made.body.uri);
    expect(made.body).toMatchObject({
      title: "First take",
      permalink: "first-take",
      permalink_url: `${stack.urls.api}/${owner.username}/first-take`,
      uri: `${stack.urls.api}/tracks/${made.body.id}`,
      state: "processing",
      sharing: "public",
      embeddable_by: "all",
      license: "all-rights-reserved",
      streamable: true,
      commentable: true,
      downloadable: false,
      metadata_artist: owner.username,
      tag_list: "",
      genre: null,
      track_type: null,
      duration: 0,
      access: "playable",
      original_content_size: upload.size,
      user_id: owner.id,
      user: { id: owner.id, username: owner.username, kind: "user" },
      created_with: { id: owner.app.id, kind: "app" },
      encoding: { progress: 0, reason: null },
    });
    expect(made.body.created_at).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/);
    expect(made.body.secret_token).toMatch(/^s-[0-9A-Za-z]{22}$/);
    expect(made.body).not.toHaveProperty("download_url");
    expect(made.body.user_favorite).toBe(false);
  });

  test("keeps every field, from JSON and from a form", async () => {
    const said = {
      title: "Two words & more",
      artist: "Somebody else",
      genre: "Trip Hop",
      tag_list: 'one "two words" geo:lat=1',
      track_type: "in progress",
      license: "cc-by-nc-sa",
      sharing: "private",
      embeddable_by: "me",
    };
    const expectedFields = {
      ...said,
      artist: undefined,
      metadata_artist: "Somebody else",
      commentable: false,
      downloadable: true,
    };
    const json = await create({
      upload_id: (await next()).id,
      ...said,
      commentable: false,
      downloadable: true,
    });
    expect(json.body).toMatchObject(definedIn(expectedFields));
    const upload = await next();
    const fields = { ...said, upload_id: String(upload.id), commentable: "0", downloadable: "true" };
    const form = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`track[${name}]`, value]));
    const made = await api.as(owner).post<Track>("/tracks", { form });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject(definedIn(expectedFields));
  });

  test("ignores read-only and unknown fields (X17, X19)", async () => {
    const upload = await next();
    const forged = {
      id: 5,
      user_id: other.id,
      user: { id: other.id },
      state: "finished",
      access: "blocked",
      playback_count: 99,
      permalink_url: "https://example.com/",
      created_at: "2001/01/01 00:00:00 +0000",
      secret_token: "s-chosen",
      stream_url: "https://example.com/",
      duration: 1000,
      waveform_url: "https://example.com/",
      original_content_size: 1,
      metadata_artist: "Not me",
      media_prefix: "t/1/",
      original_key: "in/1/2",
    };
    const { body } = await create({ upload_id: upload.id, title: "Forged", ...forged });
    expect(body).toMatchObject({
      user_id: owner.id,
      state: "processing",
      playback_count: 0,
      permalink: "forged",
      duration: 0,
      original_content_size: upload.size,
      metadata_artist: owner.username,
      waveform_url: null,
    });
    expect(body.id).not.toBe(5);
    expect(body.secret_token).not.toBe("s-chosen");
    expect(body.created_at).not.toMatch(/^2001/);
    const [row] = await sql(
      "select user_id::float8 as user_id, artist, media_prefix from tracks where id = $1",
      [body.id],
    );
    expect(row).toEqual({ user_id: owner.id, artist: null, media_prefix: null });
  });

  test("ignores a form's artist under the name that replies have, and says so (X19)", async () => {
    const fields = { "track[title]": "Sung", "track[metadata_artist]": "Nina" };
    const file = new FormData();
    for (const [name, value] of Object.entries(fields)) file.set(name, value);
    file.set("track[asset_data]", shortWav(), "a.wav");
    const form = { ...fields, "track[upload_id]": String((await next()).id) };
    for (const given of [{ form }, { raw: file }]) {
      const { status, body, headers } = await api.as(owner).post<Track>("/tracks", given);
      expect([status, body.metadata_artist, headers.get("Soundpost-Ignored")]).toEqual([
        201,
        owner.username,
        "track[metadata_artist]",
      ]);
    }
  });

  test("one upload yields one track and one job, however often and concurrently requested (F26)", async () => {
    const upload = await next();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create({ upload_id: upload.id, title: `Take ${n}` })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const ids = new Set(replies.map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    const again = await create({ upload_id: upload.id, title: "Another title", sharing: "private" });
    expect(ids).toContain(again.body.id);
    expect(again.body.title).toBe(replies[0]?.body.title);
    const [rows] = await sql<{ tracks: number; jobs: number }>(
      `select count(*)::int as tracks, count(j.track_id)::int as jobs from tracks t left join encoding_jobs j
       on j.track_id = t.id where t.original_key = (select object_key from uploads where id = $1)`,
      [upload.id],
    );
    expect(rows).toEqual({ tracks: 1, jobs: 1 });
  });

  test("another user's upload looks like an unknown one (X63)", async () => {
    const upload = await next();
    const theirs = await create<ErrorReply>({ upload_id: upload.id, title: "Mine" }, other);
    const unknown = await create<ErrorReply>({ upload_id: UNKNOWN_ID, title: "Mine" }, other);
    expect(theirs.status).toBe(422);
    expect(theirs.body).toEqual({ ...unknown.body, request_id: theirs.headers.get("X-Request-Id") });
    const [row] = await sql("select status from uploads where id = $1", [upload.id]);
    expect(row).toEqual({ status: "ready" });
  });

  test("an upload that is not ready is refused with its state", async () => {
    const json = { filename: "a.wav", size: 10, type: "audio/wav" };
    const open = await api.as(other).post<Upload>("/uploads", { json });
    const early = await create<ErrorReply>({ upload_id: open.body.id, title: "Early" }, other);
    expect([early.status, early.body.errors[0]?.error_message]).toEqual([
      422,
      expect.stringContaining("open"),
    ]);
    await api.as(other).delete(`/uploads/${open.body.id}`);
    const late = await create<ErrorReply>({ upload_id: open.body.id, title: "Late" }, other);
    expect([late.status, late.body.errors[0]?.error_message]).toEqual([
      422,
      expect.stringContaining("aborted"),
    ]);
  });

  test("permalinks are readable and unique per user", async () => {
    const titled = async (title: string) =>
      (await create({ upload_id: (await next()).id, title })).body.permalink;
    expect(await titled("Ünïcødé — Señor №5")).toBe("unicode-senor-no5");
    expect(await titled("★ ♫ ★")).toBe("track");
    expect(await titled("日本語")).toBe("ri-ben-yu");
    expect(await titled("Sets")).toBe("track-sets");
    expect(await titled("../../etc/passwd?x#y")).toBe("etc-passwd-x-y");
    expect((await titled("ab ".repeat(85))).length).toBeLessThanOrEqual(100);
    const together = await Promise.all(["Echo", "echo", "Écho", "ECHO!"].map(titled));
    expect(together.sort()).toEqual(["echo", "echo-1", "echo-2", "echo-3"]);
  });

  test.for([
    ["no wrapper (X32)", {}, 400, "track"],
    ["a flat body", { title: "x", upload_id: 1 }, 400, "track"],
    ["a list for the wrapper (X33)", { track: [] }, 422, "track"],
    ["text for the wrapper (X33)", { track: "x" }, 422, "track"],
    ["null for the wrapper", { track: null }, 422, "track"],
    ["no title", { track: { upload_id: 1 } }, 422, "track[title]"],
    ["no upload", { track: { title: "x" } }, 422, "track[upload_id]"],
    ["a list for the title (X33)", { track: { title: ["x"], upload_id: 1 } }, 422, "track[title]"],
    ["an object for the title (X33)", { track: { title: { a: 1 }, upload_id: 1 } }, 422, "track[title]"],
    ["a number for the title", { track: { title: 1, upload_id: 1 } }, 422, "track[title]"],
    ["null for the title", { track: { title: null, upload_id: 1 } }, 422, "track[title]"],
    ["an empty title", { track: { title: "", upload_id: 1 } }, 422, "track[title]"],
    ["a blank title", { track: { title: " \n\t", upload_id: 1 } }, 422, "track[title]"],
    ["a title of 256 characters", { track: { title: "x".repeat(256), upload_id: 1 } }, 422, "track[title]"],
    ["NUL in the title (X28)", { track: { title: "a\0b", upload_id: 1 } }, 422, "track[title]"],
    [
      "half a character in the title (X29)",
      { track: { title: "a\ud800b", upload_id: 1 } },
      422,
      "track[title]",
    ],
    ["a negative upload (X38)", { track: { title: "x", upload_id: -1 } }, 422, "track[upload_id]"],
    ["a broken upload (X38)", { track: { title: "x", upload_id: 1.5 } }, 422, "track[upload_id]"],
    ["an upload of 2^53 (X38)", { track: { title: "x", upload_id: 2 ** 53 } }, 422, "track[upload_id]"],
    [
      "an upload of 2^63 (X38)",
      { track: { title: "x", upload_id: `${2n ** 63n}` } },
      422,
      "track[upload_id]",
    ],
    ["an upload in words", { track: { title: "x", upload_id: "one" } }, 422, "track[upload_id]"],
    ["a true upload", { track: { title: "x", upload_id: true } }, 422, "track[upload_id]"],
    ["an unknown sharing", { track: { title: "x", upload_id: 1, sharing: "secret" } }, 422, "track[sharing]"],
    ["an unknown license", { track: { title: "x", upload_id: 1, license: "mit" } }, 422, "track[license]"],
    [
      "a flag in words",
      { track: { title: "x", upload_id: 1, streamable: "perhaps" } },
      422,
      "track[streamable]",
    ],
    ["a long genre", { track: { title: "x", upload_id: 1, genre: "g".repeat(101) } }, 422, "track[genre]"],
    ["a list for the tags", { track: { title: "x", upload_id: 1, tag_list: ["a"] } }, 422, "track[tag_list]"],
  ] as const)("%s is refused, and the field is named", async ([, json, status, field]) => {
    const reply = await api.as(owner).post<ErrorReply>("/tracks", { json });
    expect([reply.status, reply.body.errors.map(({ error_message }) => error_message.split(":")[0])]).toEqual(
      [status, expect.arrayContaining([field])],
    );
    expectErrorObject(reply);
  });

  test("an app's own token creates no tracks", async () => {
    const reply = await api.as(app).post("/tracks", { json: { track: { title: "x", upload_id: 1 } } });
    expect(reply.status).toBe(401);
  });
});
