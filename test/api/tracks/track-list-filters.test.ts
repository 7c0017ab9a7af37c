import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { asFront, sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { type Asking, listed, refusal, uniqueWord } from "./lists.support.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

/** Creates a track of `owner` and returns its id. */
const track = async (columns: Record<string, unknown> = {}) => (await createPlayableTrack(owner, columns)).id;

/** Limited to `owner`, so that other tests' tracks do not matter. */
const found = (parameters: Record<string, unknown>, who: Asking = other) =>
  listed(who, { q: owner.username, sort: "desc", ...parameters });

describe("each filter", () => {
  test("genres match completely, regardless of case and accents; several are alternatives", async () => {
    const [one, two] = [uniqueWord(), uniqueWord()];
    const house = await track({ genre: `${one} Hóuse` });
    const plain = await track({ genre: one });
    const techno = await track({ genre: two });
    expect(await found({ genres: `${one} house` })).toEqual([house]);
    expect(await found({ genres: one.toUpperCase() })).toEqual([plain]);
    expect(await found({ genres: `${one},${two}, ${one} house` })).toEqual([techno, plain, house]);
    expect(await listed(other, { genres: `${one} house` })).toEqual([house]);
    expect(await listed(other, { genres: uniqueWord() })).toEqual([]);
  });

  test("tags match completely, including quoted and machine tags", async () => {
    const word = uniqueWord();
    const id = await track({ tag_list: `${word} "deep ${word}" geo:lat=${word} fm:artist="Two ${word}"` });
    const partly = await track({ tag_list: `${word}er` });
    for (const tags of [
      word,
      `Deep ${word}`,
      `geo:lat=${word}`,
      `fm:artist=two ${word}`,
      `nothing,${word}`,
    ]) {
      expect(await listed(other, { tags }), tags).toEqual([id]);
    }
    expect(await listed(other, { tags: `deep` })).not.toContain(id);
    expect(await listed(other, { tags: `${word}er` })).toEqual([partly]);
  });

  test("genres and tags with commas stand in double quotes, and two quotes stand for one", async () => {
    const word = uniqueWord();
    const genre = `${word} Rock, "Pop"`;
    const id = await track({ genre, tag_list: `"${word},b"` });
    const plain = await track({ genre: `${word} rock`, tag_list: word });
    for (const genres of [`"${word} rock, ""pop"""`, `none, "${word} rock, ""pop""" ,none`])
      expect(await listed(other, { genres }), genres).toEqual([id]);
    expect(await listed(other, { genres: `"${word} rock"` })).toEqual([plain]);
    expect(await listed(other, { genres: `${word} rock, "pop"` })).toEqual([plain]);
    expect(await listed(other, { tags: `"${word},b"` })).toEqual([id]);
    expect(await listed(other, { tags: `"${word},b` })).toEqual([]);
    expect(await listed(other, { tags: `${word},b` })).toEqual([plain]);
  });

  test("license and types accept one or several values", async () => {
    const [by, zero] = [await track({ license: "cc-by" }), await track({ license: "no-rights-reserved" })];
    const [podcast, effect] = [
      await track({ track_type: "podcast" }),
      await track({ track_type: "sound effect" }),
    ];
    expect(await found({ license: "cc-by" })).toEqual([by]);
    expect(await found({ license: "cc-by,no-rights-reserved" })).toEqual([zero, by]);
    expect(await found({ types: "sound effect" })).toEqual([effect]);
    expect(await found({ types: "podcast,sound effect" })).toEqual([effect, podcast]);
  });

  test("bpm and duration bounds are inclusive and exact", async () => {
    const slow = await track({ bpm: 90.1 });
    const fast = await track({ bpm: 174 });
    expect(await found({ "bpm[from]": "90.1" })).toEqual([fast, slow]);
    expect(await found({ "bpm[from]": "90.2" })).toEqual([fast]);
    expect(await found({ "bpm[from]": "90.1", "bpm[to]": "90.1" })).toEqual([slow]);
    expect(await found({ "bpm[from]": "-0", "bpm[to]": "173.9" })).toEqual([slow]);
    await sql("update tracks set duration_ms = 61001 where id = $1", [fast]);
    expect(await found({ "duration[from]": 61_001, "duration[to]": 61_001 })).toEqual([fast]);
    expect(await found({ "duration[from]": 61_002 })).toEqual([]);
    expect(await found({ "duration[from]": "61000.5", "duration[to]": "61001.5" })).toEqual([fast]);
    expect(await found({ "duration[to]": "61000.9", "bpm[from]": 174 })).toEqual([]);
  });

  test("crossed bounds find nothing (X40)", async () => {
    await track({ bpm: 120 });
    expect(await found({ "bpm[from]": 130, "bpm[to]": 110 })).toEqual([]);
    expect(
      await found({ "created_at[from]": "2030-01-01 00:00:00", "created_at[to]": "2029-01-01 00:00:00" }),
    ).toEqual([]);
  });

  test("created_at bounds compare the displayed second, and [to] includes it", async () => {
    const second = Date.UTC(2025, 1, 28, 23, 59, 59);
    const at = async (ms: number, sequence: number) => {
      const id = (ms - Date.UTC(2024, 0, 1)) * 4096 + sequence;
      await sql("delete from tracks where id = $1", [id]);
      return track({ id });
    };
    const [first, last] = [await at(second, 0), await at(second + 999, 4095)];
    const after = await at(second + 1000, 0);
    const [from, to] = ["created_at[from]", "created_at[to]"];
    expect(await found({ [from]: "2025-02-28 23:59:59", [to]: "2025-02-28 23:59:59" })).toEqual([
      last,
      first,
    ]);
    expect(await found({ [from]: "2025-03-01 00:00:00", [to]: "2025-03-02 00:00:00" })).toEqual([after]);
    expect(await found({ [to]: "2025-02-28 23:59:58" })).toEqual([]);
    expect(await found({ [from]: "1970-01-01 00:00:00", [to]: "9999-12-31 23:59:59" })).toContain(first);
    const shown = await api.as(other).get<Track>(`/tracks/${last}`);
    expect(shown.body.created_at).toBe("2025/02/28 23:59:59 +0000");
  });

  test("ids and urns form one list of existing tracks, newest first, once each (X42)", async () => {
    const [a, b, c] = [await track(), await track(), await track()];
    expect(await listed(other, { ids: `${a},${c}, ${a}`, urns: `soundcloud:tracks:${b}` })).toEqual([
      c,
      b,
      a,
    ]);
    expect(await listed(other, { ids: `soundcloud:tracks:${b},1,9007199254740991` })).toEqual([b]);
    expect(await listed(other, { ids: `${a},${b}`, "bpm[from]": 1 })).toEqual([]);
    expect(await listed(other, { ids: `${a},${b}`, q: owner.username, sort: "asc" })).toEqual([a, b]);
    const many = Array.from({ length: 199 }, (_, n) => n + 1);
    expect(await listed(other, { ids: [...many, a].join() })).toEqual([a]);
    expect(await refusal(other, `ids=${[...many, a, b].join()}`)).toEqual([
      422,
      expect.stringMatching(/^ids: /),
    ]);
    expect((await refusal(other, `ids=${"1,".repeat(3500)}1`))[0]).toBe(422);
  });

  test("filters combine: all must match", async () => {
    const genre = uniqueWord();
    const both = await track({
      genre,
      bpm: 100,
      license: "cc-by-sa",
      tag_list: "left right",
      track_type: "loop",
    });
    await track({ genre, bpm: 101, license: "cc-by-sa", tag_list: "left", track_type: "loop" });
    await track({ genre, bpm: 100, license: "cc-by-nc", tag_list: "right", track_type: "loop" });
    const all = {
      genres: genre,
      "bpm[to]": 100,
      license: "cc-by-sa,cc-by",
      tags: "right,other",
      types: "loop",
    };
    expect(await listed(other, all)).toEqual([both]);
    expect(
      await found({ ...all, filter: "public", access: "playable", "duration[from]": 1, unknown: "x" }),
    ).toEqual([both]);
    expect(await found({ ...all, tags: "other" })).toEqual([]);
  });

  test("user_id lists one owner's tracks, as older clients ask, and no one else's", async () => {
    const genre = uniqueWord();
    const [hers, hidden] = [await track({ genre }), await track({ genre, sharing: "private" })];
    const { id: his } = await createPlayableTrack(other, { genre });
    expect(await listed(other, { genres: genre, user_id: owner.id })).toEqual([hers]);
    expect(await listed(owner, { genres: genre, user_id: `soundcloud:users:${owner.id}` })).toEqual([
      hidden,
      hers,
    ]);
    expect(await listed(owner, { genres: genre, user_id: other.id })).toEqual([his]);
    expect(await refusal(other, "user_id=ana")).toEqual([422, "user_id: must be an id or a URN"]);
    expect((await api.as(other).get("/tracks?user_id=1")).status).toBe(404);
  });

  test("filter=downloadable lists what others may download, alone or among other words in any order", async () => {
    const genre = uniqueWord();
    const of = (filter: string, who: Asking = other) => listed(who, { genres: genre, filter });
    const offered = await track({ genre, downloadable: true });
    const silent = await track({ genre, downloadable: true, streamable: false });
    const plain = await track({ genre });
    expect(await of("downloadable")).toEqual([silent, offered]);
    expect(await of("public,downloadable")).toEqual([silent, offered]);
    expect(await of("downloadable, streamable")).toEqual([offered]);
    expect(await of("public,streamable")).toEqual([plain, offered]);
    const change = (id: number, fields: object) =>
      api.as(owner).put(`/tracks/${id}`, { json: { track: fields } });
    await change(plain, { downloadable: true, sharing: "private" });
    await change(silent, { downloadable: false });
    expect(await of("downloadable")).toEqual([offered]);
    expect(await of("all,downloadable", owner)).toEqual([plain, offered]);
    expect(await of("private,downloadable", owner)).toEqual([plain]);
    expect(await listed(other, { filter: "downloadable" }, `/users/${owner.id}/tracks`)).toContain(offered);
    for (const filter of ["public,private", "downloadable,", "streamable;public"])
      expect((await refusal(other, `filter=${filter}`))[1], filter).toMatch(/^filter: must be one of/);
  });

  test("sort=asc is oldest first, desc and created_at newest first, also as order and direction", async () => {
    const genre = uniqueWord();
    const ids = [await track({ genre }), await track({ genre }), await track({ genre })];
    expect(await listed(other, { genres: genre, sort: "asc" })).toEqual(ids);
    expect(await listed(other, { genres: genre, sort: "desc" })).toEqual(ids.toReversed());
    expect(await listed(other, { genres: genre, sort: "created_at" })).toEqual(ids.toReversed());
    expect(await listed(other, { sort: "asc" }, `/users/${owner.id}/tracks`)).toEqual(
      (await listed(other, {}, `/users/${owner.id}/tracks`)).toReversed(),
    );
    for (const older of ["order", "direction"]) {
      expect(await listed(other, { genres: genre, [older]: "asc" })).toEqual(ids);
      expect(await listed(other, { genres: genre, [older]: "asc", sort: "desc" })).toEqual(ids.toReversed());
      expect(await listed(other, { genres: genre, [older]: "hotness" })).toEqual(ids.toReversed());
    }
    expect(await listed(other, { genres: genre, order: "created_at", direction: "asc" })).toEqual(ids);
    expect(await listed(owner, { order: "asc" }, "/me/tracks")).toEqual(
      (await listed(owner, {}, "/me/tracks")).toReversed(),
    );
  });
});

describe("access is evaluated per caller", () => {
  test("by streamable, country and plan; older clients ask with filter=streamable", async () => {
    const genre = uniqueWord();
    const open = await track({ genre });
    const off = await track({ genre, streamable: false });
    const german = await track({ genre, available_country_codes: ["DE"] });
    const paid = await track({ genre, paywall: "blocked" });
    const taste = await track({ genre, paywall: "preview" });
    const payer = await createUser({ plan: "artist" });
    const by = async (who: Asking, access: string, country?: string) => {
      const headers = { Authorization: `OAuth ${who.token}`, ...(country && { "CF-IPCountry": country }) };
      const reply = await asFront(`/tracks?genres=${genre}&access=${access}`, headers);
      return ((await reply.json()) as Track[]).map(({ id }) => id);
    };
    expect(await by(other, "playable")).toEqual([open]);
    expect(await by(other, "playable", "DE")).toEqual([german, open]);
    expect(await by(other, "preview")).toEqual([taste]);
    expect(await by(other, "blocked")).toEqual([paid, german, off]);
    expect(await by(other, "blocked", "DE")).toEqual([paid, off]);
    expect(await by(other, "blocked,preview", "FR")).toEqual([taste, paid, german, off]);
    expect(await by(payer, "playable")).toEqual([taste, paid, open]);
    expect(await by(payer, "blocked,preview")).toEqual([german, off]);
    expect(await by(owner, "playable")).toEqual([taste, paid, german, off, open]);
    expect(await by(owner, "blocked,preview")).toEqual([]);
    const streamable = async (who: Asking, more: object) =>
      listed(who, { genres: genre, filter: "streamable", ...more });
    expect(await streamable(other, {})).toEqual([taste, open]);
    expect(await streamable(other, { access: "playable,blocked" })).toEqual([open]);
    expect(await streamable(other, { access: "blocked" })).toEqual([]);
    const hidden = await track({ genre, sharing: "private" });
    expect(await streamable(owner, {})).toEqual([hidden, taste, paid, german, off, open]);
    expect(await streamable(owner, { filter: "streamable,public" })).toEqual([
      taste,
      paid,
      german,
      off,
      open,
    ]);
    expect(await streamable(owner, { access: "blocked" })).toEqual([]);
    const all = await api.as(other).get<Track[]>(`/tracks?genres=${genre}`);
    expect(all.body.map(({ access }) => access)).toEqual([
      "preview",
      "blocked",
      "blocked",
      "blocked",
      "playable",
    ]);
  });
});

test("a user's list accepts the filters; an unknown user has none", async () => {
  const someoneElse = await createUser();
  const theirs = (await createTrack(someoneElse, { genre: "polka", bpm: 77 })).id;
  await createTrack(someoneElse, { genre: "polka" });
  const path = `/users/soundcloud:users:${someoneElse.id}/tracks`;
  expect(await listed(other, { "bpm[from]": 77, genres: "Polka" }, path)).toEqual([theirs]);
  expect(await listed(other, { "bpm[from]": 77 }, path)).toEqual([theirs]);
  expect(await listed(other, { ids: theirs }, `/users/${owner.id}/tracks`)).toEqual([]);
  expect((await api.as(other).get("/users/1/tracks")).status).toBe(404);
  expect((await api.as(other).get("/users/abc/tracks")).status).toBe(404);
  await sql("update users set disabled_at = now() where id = $1", [someoneElse.id]);
  expect((await api.as(other).get(path)).status).toBe(404);
  expect(await listed(other, { ids: theirs })).toEqual([]);
});

test("an app's own token lists public tracks; without a token there is no list", async () => {
  const id = await track();
  expect(await listed(await createAppToken(), { ids: id })).toEqual([id]);
  expect((await api.get(`/tracks?ids=${id}`)).status).toBe(401);
  expect((await api.get("/tracks?limit=0")).status).toBe(401);
});
