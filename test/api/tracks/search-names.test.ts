import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { allPages, listed, uniqueWord } from "./lists.support.ts";

test("a track of just this title comes first, before those that repeat the word", async () => {
  const [owner, reader, word] = [await createUser(), await createUser(), uniqueWord()];
  const track = async (columns: object) => (await createTrack(owner, { ...columns })).id;
  const exact = await track({ title: word.toUpperCase() });
  const longer = await track({ title: `${word}er`, genre: word, tag_list: `${word}a ${word}b ${word}c` });
  const repeated = await track({ title: `${word} ${word} ${word}` });
  for (const q of [word, `"${word}"`]) expect((await listed(reader, { q }))[0]).toBe(exact);
  const pages = (await allPages(reader, { q: word, limit: 1 })).flat();
  expect([pages[0], new Set(pages)]).toEqual([exact, new Set([exact, longer, repeated])]);
});

test("a title of one Hangul syllable comes first, also if its letters are stored apart", async () => {
  const [owner, syllable] = [
    await createUser(),
    String.fromCharCode(0xac01 + 28 * Math.floor(Math.random() * 390)),
  ];
  const exact = (await createTrack(owner, { title: syllable.normalize("NFD") })).id;
  const longer = (await createTrack(owner, { title: `${syllable} ${syllable} ${syllable}` })).id;
  const found = await listed(owner, { q: syllable });
  expect(found.filter((id) => id === exact || id === longer)).toEqual([exact, longer]);
});

test("a playlist of just this title comes first", async () => {
  const [owner, word] = [await createUser(), uniqueWord()];
  const set = async (title: string) => (await createPlaylist(owner, { title, sharing: "public" })).id;
  const exact = await set(word);
  const repeated = await set(`${word} ${word} ${word}`);
  expect(await listed(owner, { q: word }, "/playlists")).toEqual([exact, repeated]);
});

test("a user of just this name or permalink comes first", async () => {
  const word = uniqueWord();
  const user = async (username: string, permalink?: string) => {
    const { id } = await createUser();
    await sql("update users set username = $2, permalink = coalesce($3, permalink) where id = $1", [
      id,
      username,
      permalink,
    ]);
    return id;
  };
  const byLink = await user(`Somebody called ${word}`, word);
  const exact = await user(word.toUpperCase());
  const repeated = await user(`${word} ${word}ella ${word}as`);
  const found = await listed(await createUser(), { q: word }, "/users");
  expect([new Set(found.slice(0, 2)), found[2]]).toEqual([new Set([exact, byLink]), repeated]);
});

test("a name is just the words in any case, with any accents and punctuation", async () => {
  const [owner, reader, word] = [await createUser(), await createUser(), uniqueWord()];
  const track = async (title: string) => (await createTrack(owner, { title })).id;
  for (const [title, q] of [
    [`${word} ЖУК`, `${word} жук`],
    [`Café ${word}`, `cafe ${word}`],
    [`${word}: Don't! (live)`, `${word} don't live`],
  ] as const) {
    const exact = await track(title);
    await track(`${title} ${title} ${title}`);
    expect((await listed(reader, { q }))[0]).toBe(exact);
  }
  await sql("update users set username = $2 where id = $1", [reader.id, `ÅSA ${word}`]);
  await sql("update users set username = $2 where id = $1", [owner.id, `Åsa ${word} Åsa ${word}`]);
  expect((await listed(owner, { q: `asa ${word}` }, "/users"))[0]).toBe(reader.id);
});

test("whole words in a title or name come before more words that only begin so", async () => {
  const [owner, reader, word] = [await createUser(), await createUser(), uniqueWord()];
  const artist = uniqueWord();
  const track = async (columns: object) => (await createTrack(owner, { ...columns })).id;
  const whole = [await track({ artist: `The ${word}` }), await track({ title: `A ${word} at night` })];
  const begun = await track({ title: `${word}ella ${word}as ${word}is`, genre: word, tag_list: word });
  expect(await listed(reader, { q: word })).toEqual([...whole.toReversed(), begun]);
  expect((await allPages(reader, { q: word, limit: 1 })).flat()).toEqual([...whole.toReversed(), begun]);
  const long = `${word} ${"recorded live far away ".repeat(5)}`;
  const far = await track({ title: long, artist });
  const mentioned = await track({ description: `${artist} ${word} ${artist} ${word}` });
  expect(await listed(reader, { q: `${artist} ${word}` })).toEqual([far, mentioned]);
  for (const kind of ["likes", "reposts"])
    for (const id of [far, begun]) await api.as(reader).post(`/${kind}/tracks/${id}`);
  for (const path of ["/me/favorites", `/users/${reader.id}/reposts/tracks`])
    expect([path, await listed(reader, { q: word }, path)]).toEqual([path, [far, begun]]);
});

test("whole words in a playlist's title or a user's name come first, too", async () => {
  const [owner, reader, word] = [await createUser(), await createUser(), uniqueWord()];
  const set = async (title: string) => (await createPlaylist(owner, { title, sharing: "public" })).id;
  const sets = [await set(`A ${word} at night`), await set(`${word}ella ${word}as ${word}is`)];
  expect(await listed(owner, { q: word }, "/playlists")).toEqual(sets);
  for (const [id, name] of [
    [owner.id, `The ${word}`],
    [reader.id, `${word}ella ${word}as ${word}is`],
  ])
    await sql("update users set username = $2 where id = $1", [id, name]);
  expect(await listed(owner, { q: word }, "/users")).toEqual([owner.id, reader.id]);
});
