import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { runCron, sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { uniqueWord } from "./lists.support.ts";

/** Seven letters that no other test has, and the same with one too few, one too many, another one, and two in the wrong order. */
function misspelt() {
  const word = uniqueWord();
  const at = (start: number, end?: number) => word.slice(start, end);
  const errors = [
    at(0, 3) + at(4),
    `${at(0, 3)}q${at(3)}`,
    `${at(0, 3)}q${at(4)}`,
    at(0, 3) + word[4] + word[3] + at(5),
  ];
  return { word, errors };
}

type Reader = Awaited<ReturnType<typeof createUser>>;

interface Found {
  collection: { id: number }[];
  corrected_q?: string;
  next_href?: string;
}

async function search(reader: Reader, path: string, query: Record<string, string | number | boolean>) {
  const { status, body } = await api
    .as(reader)
    .get<Found>(
      `${path}?${new URLSearchParams({ linked_partitioning: "true", forgiving: "true", ...(query as Record<string, string>) })}`,
    );
  expect(status).toBe(200);
  const { collection, corrected_q, next_href } = body;
  return { ids: collection.map(({ id }) => id), corrected_q, next_href };
}

test("a track, a playlist and a user are found by a misspelt name, and the reply says what it searched for", async () => {
  const [owner, reader] = [await createUser(), await createUser()];
  const { word, errors } = misspelt();
  const { id: track } = await createTrack(owner, { title: `Lantern ${word}` });
  const { id: set } = await createPlaylist(owner, { title: `Lantern ${word}`, sharing: "public" });
  await sql("update users set username = $2 where id = $1", [owner.id, `Lantern ${word}`]);
  for (const error of errors)
    for (const [path, id] of [
      ["/tracks", track],
      ["/playlists", set],
      ["/users", owner.id],
    ] as const) {
      const found = await search(reader, path, { q: `Lantrn ${error}` });
      expect(found, `${path} ${error}`).toEqual({
        ids: [id],
        corrected_q: `lantern ${word}`,
        next_href: undefined,
      });
    }
});

test("a search that matches something is not corrected, nor is one in quotes, nor one that does not ask for it", async () => {
  const owner = await createUser();
  const { word, errors } = misspelt();
  const [error = ""] = errors;
  const { id } = await createTrack(owner, { title: word });
  expect(await search(owner, "/tracks", { q: word })).toEqual({
    ids: [id],
    corrected_q: undefined,
    next_href: undefined,
  });
  const nothing = { ids: [], corrected_q: undefined, next_href: undefined };
  expect(await search(owner, "/tracks", { q: `"${error}"` })).toEqual(nothing);
  expect(await search(owner, "/tracks", { q: error, forgiving: false })).toEqual(nothing);
  const { id: typed } = await createTrack(owner, { title: error });
  expect((await search(owner, "/tracks", { q: error })).ids).toEqual([typed]);
  // The words stand in a public track, though the filter leaves it out.
  expect(await search(owner, "/tracks", { q: error, genres: "nothing" })).toEqual(nothing);
});

test("next_href continues a corrected search, whatever comes up meanwhile", async () => {
  const [owner, reader] = [await createUser(), await createUser()];
  const { word, errors } = misspelt();
  const [error = ""] = errors;
  const ids: number[] = [];
  for (let n = 0; n < 3; n++) ids.push((await createTrack(owner, { title: word })).id);
  const first = await search(reader, "/tracks", { q: error, limit: 2 });
  expect(first.corrected_q).toBe(word);
  await createTrack(owner, { title: error });
  const next = new URL(first.next_href ?? "");
  expect(next.searchParams.get("q")).toBe(word);
  const { body } = await api.as(reader).get<Found>(next.pathname + next.search);
  const second = body.collection.map(({ id }) => id);
  expect([...first.ids, ...second]).toEqual(ids.toReversed());
  const skipped = await search(reader, "/tracks", { q: `${errors[2]}`, limit: 2, offset: 2 });
  expect(skipped.ids).toEqual(second);
});

test("nothing is corrected to the words of a private, deleted or hidden work, for its owner either", async () => {
  const [owner, reader] = [await createUser(), await createUser()];
  const { word, errors } = misspelt();
  const [error = ""] = errors;
  const nothing = { ids: [], corrected_q: undefined, next_href: undefined };
  const { id } = await createTrack(owner, { title: word, sharing: "private" });
  const { id: set } = await createPlaylist(owner, { title: word, sharing: "private" });
  const expectNothing = async () => {
    for (const user of [owner, reader])
      for (const path of ["/tracks", "/playlists"])
        expect(await search(user, path, { q: error })).toEqual(nothing);
  };
  await expectNothing();
  // Once public, the word is known. It is forgotten with the last work that has it.
  await sql("update tracks set sharing = 'public' where id = $1", [id]);
  await sql("update playlists set sharing = 'public' where id = $1", [set]);
  expect((await search(reader, "/tracks", { q: error })).corrected_q).toBe(word);
  expect((await search(reader, "/playlists", { q: error })).corrected_q).toBe(word);
  await sql("update tracks set sharing = 'private' where id = $1", [id]);
  await sql("delete from playlists where id = $1", [set]);
  await expectNothing();
  await sql("update tracks set sharing = 'public' where id = $1", [id]);
  expect((await search(reader, "/tracks", { q: error })).ids).toEqual([id]);
  await sql("update users set disabled_at = now() where id = $1", [owner.id]);
  expect(await search(reader, "/tracks", { q: error })).toEqual(nothing);
});

test("several misspelt words are corrected to those of one work, and words that are known stay if they can", async () => {
  const [owner, reader] = [await createUser(), await createUser()];
  const [one, other, third] = [misspelt(), misspelt(), misspelt()];
  const { id } = await createTrack(owner, { title: `${one.word} ${other.word}` });
  await createTrack(owner, { title: `${third.word} ${one.errors[0]}` });
  const found = await search(reader, "/tracks", { q: `${one.errors[0]} ${other.errors[3]}` });
  expect(found).toEqual({ ids: [id], corrected_q: `${one.word} ${other.word}`, next_href: undefined });
  const partly = await search(reader, "/tracks", { q: `${one.word} ${other.errors[1]}` });
  expect(partly.corrected_q).toBe(`${one.word} ${other.word}`);
});

test("the sweep forgets words that left all public documents, and no others", async () => {
  const owner = await createUser();
  const areKnown = async () => {
    // Each hour of a month has its share of the words: these are due now.
    const due = await sql<{ word: string }>(
      `select word from generate_series(1, 20000) n, substr('w' || md5(n || $1), 1, 12) word
       where abs(hashtext(word) % 720) = floor(extract(epoch from now()) / 3600)::bigint % 720 limit 2`,
      [uniqueWord()],
    );
    const words = due.map(({ word }) => word);
    const ids: number[] = [];
    for (const title of words) ids.push((await createTrack(owner, { title })).id);
    const known = async () => {
      const rows = await sql<{ word: string }>("select word from known_words where word = any ($1)", [words]);
      return words.map((sought) => rows.some(({ word }) => word === sought));
    };
    expect(await known()).toEqual([true, true]);
    await api.as(owner).delete(`/tracks/${ids[0]}`);
    await runCron("*/5 * * * *");
    return known();
  };
  // The hour may turn before the sweep.
  await expect.poll(areKnown).toEqual([false, true]);
});

test("marks, long words and scripts without spaces are searched for and break nothing", async () => {
  const reader = await createUser();
  for (const q of [
    "'':*",
    "\\",
    "a\u0000b".replace("\u0000", ""),
    `${"x".repeat(190)}`,
    "椿油雪月",
    "…",
    "a b c d e f g h i j",
  ])
    expect((await search(reader, "/tracks", { q })).corrected_q).toBeUndefined();
});
