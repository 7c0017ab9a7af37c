import { beforeAll, describe, expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { allPages, listed, refusal, uniqueWord } from "./lists.support.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

const track = async (columns: Record<string, unknown>) => (await createTrack(owner, columns)).id;

const search = (q: string, more: Record<string, unknown> = {}) => listed(other, { q, ...more });

describe("a search covers", () => {
  test("title, artist, description, genre, tags and username", async () => {
    const word = uniqueWord();
    const ids = [
      await track({ title: `In ${word}` }),
      await track({ artist: word }),
      await track({ description: `<p>Of <b>${word}</b>&amp;more</p>` }),
      await track({ genre: `${word} jazz` }),
      await track({ tag_list: `one "two ${word}"` }),
    ];
    expect(new Set(await search(word))).toEqual(new Set(ids));
    expect(await search(word, { sort: "created_at" })).toEqual(ids.toReversed());
    expect(await search(`${word}x`)).toEqual([]);
    expect(await search(owner.username)).toEqual(expect.arrayContaining(ids));
  });

  test("words in any place, all of which must match, with prefixes", async () => {
    const [one, two] = [uniqueWord(), uniqueWord()];
    const both = await track({ title: one, description: two });
    await track({ title: one });
    expect(await search(`${two} ${one}`)).toEqual([both]);
    expect(await search(`${one.slice(0, -3)} ${two.slice(0, -2)}`)).toEqual([both]);
    expect(await search(one.slice(1))).toEqual([]);
    expect(await search(`${one} ${two} ${uniqueWord()}`)).toEqual([]);
  });

  test.for([
    ["Sigur Rós Ágætis", "sigur ros agaetis"],
    ["BEYONCÉ", "beyonce"],
    ["Motörhead", "MOTORHEAD"],
    ["Straße", "strasse"],
    ["Łódź Øresund", "lodz oresund"],
    ["ΣΟΦΟΣ", "σοφός"],
    ["Ёлка", "елка"],
    ["İstanbul ışık", "istanbul isik"],
    ["ज़िंदगी फिर", "जिंदगी"],
    ["Ħal Għana Əziz Sɛbɛ", "hal ghana eziz sebe"],
    ["東京事変", "東京"],
    ["ｆｕｌｌｗｉｄｔｈ", "fullwidth"],
    ["हिन्दी गीत", "हिन्दी"],
    ["שָׁלוֹם עולם", "שלום"],
    ["שלום עולם", "שָׁלוֹם"],
    ["مُحَمَّد أغنيـــة", "محمد اغنية"],
    ["A.C.D.C. & t.A.T.u", "acdc tatu"],
    ["ACDC, UNKLE", "a.c.d.c. U.n.k.l.e"],
    ["J.S. Bach", "j. s. bach"],
    ["N W A", "n.w.a."],
    ["R.E.M. AC/DC feat.Someone", "r.e.m ac/dc someone"],
    ["Don't Stop Believin’, Destiny’s ʻOhana", "dont stop believin destinys ohana"],
    ["Dont OConnor LAmour", "don't o’connor lʼamour"],
    ["п’ять п'ята", "пять пʼята"],
    ["Lo-Fi Hip‐Hop, AC/DC, Blink-182", "lofi hiphop acdc blink182"],
    ["LoFi HipHop ACDC (JayZ)", "lo-fi hip-hop AC/DC jay-z"],
    ["Simon & Garfunkel + Co", "simon and garfunkel + co"],
    ["Halo (feat. Ana) ft. Ben", "halo ft. ana featuring ben"],
    ["Halo featuring Ana", "halo FT ana"],
    ["P!nk, Ke$ha, A$AP, $uicideboy$", "pink kesha asap suicideboys"],
    ["محسن یگانه ۴ مصطفى", "محسن يگانه ٤ مصطفی"],
    ["drum&bass @home 100% #1", "drum bass home 100 1"],
    ["01-Intro_(final)", "intro final 01"],
    ["example.com/path user@mail.org", "path example mail"],
  ])("%s by %s, regardless of case and accents", async ([title = "", q = ""]) => {
    const word = uniqueWord();
    const id = await track({ title: `${title} ${word}` });
    expect(await search(`${q} ${word}`)).toEqual([id]);
    expect(await search(`${title} ${word}`)).toEqual([id]);
  });

  test("an acronym with points as a whole word, not as the beginning of one", async () => {
    const word = uniqueWord();
    const [city] = [await track({ title: `LA ${word}` }), await track({ title: `Lady ${word}` })];
    for (const q of ["L.A.", "l.a"]) expect(await search(`${q} ${word}`)).toEqual([city]);
  });

  test("a word without the mark within it as a whole word, and all else of the search", async () => {
    const word = uniqueWord();
    const [joined] = [await track({ title: `lofi ${word}` }), await track({ title: `lofis ${word}` })];
    expect(await search(`lo-fi ${word}`)).toEqual([joined]);
    expect(await search(`jazz,lo-fi ${word}`)).toEqual([]);
    const described = await track({ title: word, description: "Don't & can't" });
    expect(await search(`dont ${word}`)).toEqual([]);
    expect(await search(`don't ${word}`)).toEqual([described]);
  });

  test("a phrase in double quotes literally: whole words in order, in one field", async () => {
    const word = uniqueWord();
    const id = await track({ title: `${word} red moon`, genre: "rising", tag_list: "alpha beta" });
    expect(await search(`"${word} red moon"`)).toEqual([id]);
    expect(await search(`"Red-Moon" ${word}`)).toEqual([id]);
    expect(await search(`${word} "moon red"`)).toEqual([]);
    expect(await search(`${word} "red mo"`)).toEqual([]);
    expect(await search(`${word} "moon ${owner.username}"`)).toEqual([]);
    expect(await search(`${word} "rising alpha"`)).toEqual([]);
    expect(await search(`${word} "alpha beta"`)).toEqual([]);
    expect(await search(`${word} "red moon`)).toEqual([id]);
    expect(await search(`${word} ""`)).toEqual([id]);
  });

  test("database syntax as text (X25, X26)", async () => {
    const word = uniqueWord();
    const id = await track({ title: `${word} not a or b` });
    for (const q of [
      "a & | b ((",
      "a or b",
      "-a",
      "!a",
      "a:*",
      "a <-> b",
      "'a'",
      "a\\",
      "a'b",
      "%a",
      "_",
      "b*",
      "a; --",
    ]) {
      expect([0, 1], q).toContain((await search(`${word} ${q}`)).length);
    }
    expect(await search(`${word} a or b`)).toEqual([id]);
    expect(await search(`${word} -a & !b`)).toEqual([id]);
    for (const nothing of ["%", "_", "\\", "'", "*", "((", "&", "€"])
      expect(await search(nothing), nothing).toEqual([]);
    expect(await search(`:genre`)).not.toContain(id);
  });

  test("up to 200 characters; longer ones are refused (X27)", async () => {
    expect((await refusal(other, `q=${"a".repeat(200)}`))[0]).toBe(200);
    expect(await refusal(other, `q=${"a".repeat(201)}`)).toEqual([422, expect.stringMatching(/^q: /)]);
    expect(await search(Array.from({ length: 100 }, () => "a").join(" "))).toEqual(expect.any(Array));
  });
});

describe("a search follows", () => {
  test("a changed title, a new name, another sharing, a deletion", async () => {
    const someoneElse = await createUser();
    const [before, after, name] = [uniqueWord(), uniqueWord(), uniqueWord()];
    const { id } = await createTrack(someoneElse, { title: before });
    await sql("update tracks set title = $2 where id = $1", [id, after]);
    expect([await search(before), await search(after)]).toEqual([[], [id]]);
    await sql("update users set username = $2 where id = $1", [someoneElse.id, name]);
    expect([await search(someoneElse.username), await search(name)]).toEqual([[], [id]]);
    await sql("update tracks set sharing = 'private' where id = $1", [id]);
    expect([await search(after), await listed(someoneElse, { q: after })]).toEqual([[], [id]]);
    await sql("update tracks set sharing = 'public' where id = $1", [id]);
    expect(await search(after)).toEqual([id]);
    await sql("update users set disabled_at = now() where id = $1", [someoneElse.id]);
    expect(await search(after)).toEqual([]);
    await sql("update users set disabled_at = null where id = $1", [someoneElse.id]);
    expect(await search(after)).toEqual([id]);
    await sql("delete from tracks where id = $1", [id]);
    expect(await listed(someoneElse, { q: after })).toEqual([]);
  });
});

describe("search results", () => {
  test("rank title and username over tags and genre over description, newest first among equals", async () => {
    const word = uniqueWord();
    const title = await track({ title: word });
    const description = await track({ description: word });
    const [genre, tag] = [await track({ genre: word }), await track({ tag_list: word })];
    const newTitle = await track({ title: word });
    expect(await search(word)).toEqual([newTitle, title, tag, genre, description]);
    expect(await search(word, { sort: "desc" })).toEqual([newTitle, tag, genre, description, title]);
    expect(await search(word, { sort: "asc" })).toEqual([title, description, genre, tag, newTitle]);
    expect(await search(word, { offset: 1, limit: 2 })).toEqual([title, tag]);
    expect((await allPages(other, { q: word, limit: 2 })).flat()).toEqual([
      newTitle,
      title,
      tag,
      genre,
      description,
    ]);
  });

  test("keep their ranking while tracks come and go (X74)", async () => {
    const word = uniqueWord();
    const low = [await track({ description: word }), await track({ description: word })];
    const high = [await track({ title: word }), await track({ title: word }), await track({ title: word })];
    const expected = [...high.toReversed(), ...low.toReversed()];
    const between = async () => {
      await track({ title: word });
      await sql("delete from tracks where id = $1", [high[0]]);
    };
    const pages = await allPages(other, { q: word, limit: 2 }, { between });
    expect(pages.flat()).toEqual(expected.filter((id) => id !== high[0]));
  });

  test("beyond the newest 1,000 continue newest first, once each", async () => {
    const word = uniqueWord();
    await sql(
      `insert into tracks (user_id, title, permalink, description, secret_hash, secret_sealed, original_key, original_filename, original_content_size)
       select $1, case when n % 100 = 1 then $2 else 'x' end, $2 || '-' || n, $2, '', '', 'k', 'f', 1 from generate_series(1, 1100) n`,
      [owner.id, word],
    );
    const rows = await sql<{ id: string; title: string }>(
      "select id, title from tracks where description = $1 order by id desc",
      [word],
    );
    const ids = (some: typeof rows) => some.map(({ id }) => Number(id));
    const newest = rows.slice(0, 1000);
    const expected = [
      ...ids(newest.filter(({ title }) => title === word)),
      ...ids(newest.filter(({ title }) => title !== word)),
      ...ids(rows.slice(1000)),
    ];
    const pages = await allPages(other, { q: word, limit: 190 });
    expect(pages.map(({ length }) => length)).toEqual([190, 190, 190, 190, 190, 150]);
    expect(pages.flat()).toEqual(expected);
    expect(await search(word, { offset: 990, limit: 20 })).toEqual(expected.slice(990, 1010));
    expect((await allPages(other, { q: word, limit: 200, sort: "created_at" })).flat()).toEqual(ids(rows));
    await sql("delete from tracks where description = $1", [word]);
  });
});

test("an owner's search ranks private and failed tracks, too", async () => {
  const word = uniqueWord();
  const open = (await createPlayableTrack(owner, { title: word })).id;
  const hidden = await track({ title: word, sharing: "private" });
  const failed = await track({ title: word, state: "failed" });
  expect(await listed(owner, { q: word })).toEqual([failed, hidden, open]);
  expect(await listed(owner, { q: word, filter: "private" })).toEqual([hidden]);
  expect(await listed(owner, { q: word, filter: "public" })).toEqual([failed, open]);
  expect(await listed(owner, { q: word }, "/me/tracks")).toEqual([failed, hidden, open]);
  expect(await search(word)).toEqual([open]);
});
