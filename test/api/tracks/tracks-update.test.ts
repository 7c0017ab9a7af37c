import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack, type StoredTrack } from "../../support/tracks.ts";
import { changing, rowOf } from "./track-changes.support.ts";

let owner: Person;
let other: Person;
let track: StoredTrack;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
  track = await createPlayableTrack(owner);
});

const { put, putForm } = changing(() => ({ owner, track }));

const get = async ({ id } = track) => (await api.as(owner).get<Track>(`/tracks/${id}`)).body;

describe("an update by the owner", () => {
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

  test("is stored and returned, from JSON", async () => {
    const reply = await put({ ...WRITTEN(), metadata_artist: "Somebody else" });
    expect(reply.status).toBe(200);
    const label = { id: other.id, kind: "user", username: other.username };
    expect(reply.body).toMatchObject({ ...WRITTEN(), metadata_artist: "Somebody else", label });
    expect(await get()).toEqual(reply.body);
  });

  test("is stored and returned, from a form with text values", async () => {
    const fresh = await createPlayableTrack(owner);
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
    "purchase_url",
    "purchase_title",
    "description",
    "label_id",
    "label_name",
    "genre",
    "release",
    "release_day",
    "release_month",
    "release_year",
    "track_type",
    "video_url",
    "bpm",
    "isrc",
    "key_signature",
    "paywall",
    "available_country_codes",
  ];

  test.for([
    ["null in JSON", (names: string[]) => put(Object.fromEntries(names.map((name) => [name, null])))],
    ["nothing in JSON", (names: string[]) => put(Object.fromEntries(names.map((name) => [name, ""])))],
    ["nothing in a form", (names: string[]) => putForm(Object.fromEntries(names.map((name) => [name, ""])))],
  ] as const)("clears a field by %s", async ([, clear]) => {
    await put(WRITTEN());
    const { status, body } = await clear(CLEARABLE);
    expect(status).toBe(200);
    expect(body).toMatchObject(Object.fromEntries(CLEARABLE.map((name) => [name, null])));
    expect(body).toMatchObject({ label: null, title: WRITTEN().title, tag_list: WRITTEN().tag_list });
    for (const none of [null, ""]) expect((await put({ tag_list: none })).body.tag_list).toBe("");
  });

  test("keeps fields that it omits, and the time if nothing changes", async () => {
    const { body: before } = await put(WRITTEN());
    const changed = await put({ genre: "Dub" });
    expect(changed.body).toEqual({ ...before, genre: "Dub", last_modified: changed.body.last_modified });
    await sql("update tracks set updated_at = '2020-01-01' where id = $1", [track.id]);
    for (const same of [{}, { genre: "Dub" }, { title: WRITTEN().title, unknown: 1 }])
      expect((await put(same)).body.last_modified).toBe("2020/01/01 00:00:00 +0000");
    expect((await put({ genre: "Ska" })).body.last_modified).not.toMatch(/^2020/);
  });

  test("with an unmodified representation changes nothing", async () => {
    await put({ ...WRITTEN(), metadata_artist: "" });
    const { body } = await put(WRITTEN());
    const again = await put(body);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(body);
    expect(await rowOf(track)).toMatchObject({ artist: null });
  });

  test("defaults the artist to the owner's name, and takes it in JSON alone", async () => {
    expect((await put({ metadata_artist: "Nina" })).body.metadata_artist).toBe("Nina");
    expect((await put({ artist: "Ignored" })).body.metadata_artist).toBe("Nina");
    const { status, body, headers } = await putForm({ metadata_artist: "Ignored", genre: "Folk" });
    expect([status, body.metadata_artist, body.genre, headers.get("Soundpost-Ignored")]).toEqual([
      200,
      "Nina",
      "Folk",
      "track[metadata_artist]",
    ]);
    for (const none of [null, "", "  "])
      expect((await put({ metadata_artist: none })).body.metadata_artist).toBe(owner.username);
  });

  test("with a release date sets or clears its three parts (X41)", async () => {
    const { body } = await put({ release_date: "2024-02-29" });
    expect(body).toMatchObject({ release_year: 2024, release_month: 2, release_day: 29 });
    expect(body).not.toHaveProperty("release_date");
    expect((await put({ release_date: "" })).body).toMatchObject({ release_year: null, release_day: null });
  });

  test("that publishes a private track appears in feeds, of a public one not", async () => {
    const quiet = await createTrack(owner, { sharing: "private" });
    const before = await rowOf(quiet);
    await put({ title: "Still private" }, quiet);
    expect(await rowOf(quiet)).toMatchObject({ published_id: before?.published_id });
    await put({ sharing: "public" }, quiet);
    const published = await rowOf(quiet);
    expect(Number(published?.published_id)).toBeGreaterThan(Number(before?.published_id));
    await put({ title: "Still public", sharing: "public" }, quiet);
    expect(await rowOf(quiet)).toMatchObject({ published_id: published?.published_id });
  });

  test("is one statement", async () => {
    const reply = await put({ ...WRITTEN(), title: "Counted" });
    expect(reply.headers.get("Server-Timing")).toContain("queries: 1");
  });

  test("keeps Unicode unchanged: combining marks, right to left, emoji, beyond the BMP", async () => {
    for (const title of ["e\u0301clair", "שלום", "👩‍👩‍👧 🎵", "𝕏 𠜎", "Ａ ﬁ Ⅷ", "日本語"])
      expect((await put({ title, genre: title, tag_list: title })).body).toMatchObject({
        title,
        genre: title,
        tag_list: title,
      });
  });

  test("keeps markup outside the description as text", async () => {
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
