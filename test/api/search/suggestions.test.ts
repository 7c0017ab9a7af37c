import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { uniqueWord } from "../tracks/lists.support.ts";

interface Suggestions {
  suggestions: { id: number; kind: string; title: string; permalink_url: string }[];
}

async function suggested(reader: Awaited<ReturnType<typeof createUser>>, q: string) {
  const { status, body } = await api
    .as(reader)
    .get<Suggestions>(`/suggestions?${new URLSearchParams({ q })}`);
  expect(status).toBe(200);
  return body.suggestions.map(({ id }) => id);
}

test("tracks, playlists and users are suggested by the beginnings of their words, with their pages", async () => {
  const [owner, reader, word] = [await createUser(), await createUser(), uniqueWord()];
  await sql("update users set username = $2 where id = $1", [owner.id, `Lantern ${word}`]);
  const { id: track } = await createTrack(reader, { title: `${word} river`, description: "deep" });
  const { id: set } = await createPlaylist(reader, { title: `Old ${word}`, sharing: "public" });
  expect(new Set(await suggested(reader, word.slice(0, -2)))).toEqual(new Set([track, set, owner.id]));
  expect(await suggested(reader, `${word} riv`)).toEqual([track]);
  expect(await suggested(reader, `${word} deep`)).toEqual([]);
  const { body } = await api.as(reader).get<Suggestions>(`/suggestions?q=${word}`);
  const pages = body.suggestions.map(
    ({ permalink_url }) => new URL(permalink_url).pathname.split("/").length,
  );
  expect(pages.sort()).toEqual([2, 3, 4]);
});

test("a title that begins with the text comes first, then the more popular one, eight together", async () => {
  const [owner, reader, word] = [await createUser(), await createUser(), uniqueWord()];
  const make = async (title: string, plays: number) => {
    const { id } = await createTrack(owner, { title });
    await sql("update tracks set playback_count = $2 where id = $1", [id, plays]);
    return id;
  };
  const begins = await make(`${word} one`, 0);
  const popular = await make(`two ${word}`, 900);
  const known = await make(`three ${word}`, 90);
  const hidden = await make(`four ${word}`, 9_000);
  await sql("update tracks set reveal_stats = false where id = $1", [hidden]);
  expect(await suggested(reader, word)).toEqual([begins, popular, known, hidden]);
  for (let n = 0; n < 6; n++) await make(`more ${n} ${word}`, 0);
  expect(await suggested(reader, word)).toHaveLength(8);
});

test("private, failed, blocked and deleted works and those of suspended users are never suggested", async () => {
  const [owner, word] = [await createUser(), uniqueWord()];
  const { id } = await createTrack(owner, { title: word, sharing: "private" });
  const { id: set } = await createPlaylist(owner, { title: word, sharing: "private" });
  expect(await suggested(owner, word)).toEqual([]);
  await sql("update tracks set sharing = 'public' where id = $1", [id]);
  await sql("update playlists set sharing = 'public' where id = $1", [set]);
  expect(new Set(await suggested(owner, word))).toEqual(new Set([id, set]));
  await sql("update tracks set sharing = 'private', taken_down_at = now() where id = $1", [id]);
  await sql("delete from playlists where id = $1", [set]);
  expect(await suggested(owner, word)).toEqual([]);
  await sql("update tracks set taken_down_at = null, sharing = 'public' where id = $1", [id]);
  expect(await suggested(owner, word)).toEqual([id]);
  const reader = await createUser();
  await sql("update users set disabled_at = now() where id = $1", [owner.id]);
  expect(await suggested(reader, word)).toEqual([]);
});

test("nothing, marks, one letter and quotes suggest nothing; a long text is 422", async () => {
  const reader = await createUser();
  for (const q of ["", " ", "a", "…", "''", '"', "\\:*"]) expect(await suggested(reader, q)).toEqual([]);
  const { status } = await api.as(reader).get(`/suggestions?q=${"x".repeat(201)}`);
  expect(status).toBe(422);
});
