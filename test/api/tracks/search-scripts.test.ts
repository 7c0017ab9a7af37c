import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { listed, uniqueWord } from "./lists.support.ts";

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = await Promise.all([createUser(), createUser()]);
});

const track = async (columns: Record<string, unknown>) => (await createTrack(owner, columns)).id;

const playlist = async (title: string) => (await createPlaylist(owner, { title })).id;

const user = async (username: string) => {
  const { id } = await createUser();
  await sql("update users set username = $2 where id = $1", [id, username]);
  return id;
};

const search = (q: string) => listed(other, { q });

/** Distinct characters of a script, so that no other test has two of them together. */
function charactersOf([from, to]: readonly [number, number], count: number): string[] {
  const found = new Set<string>();
  while (found.size < count) found.add(String.fromCodePoint(randomInt(from, to + 1)));
  return [...found];
}

const HAN = [0x4e00, 0x9fa5] as const;
const HANGUL = [0xac00, 0xd7a3] as const;

const SCRIPTS = [
  ["Chinese and kanji", HAN],
  ["rare Han characters", [0x20000, 0x2a6dd]],
  ["Korean", HANGUL],
  ["Thai", [0x0e01, 0x0e2e]],
  ["Khmer", [0x1780, 0x17a2]],
  ["Burmese", [0x1000, 0x1020]],
  ["Lao", [0x0ea5, 0x0eb0]],
  ["hiragana", [0x3041, 0x3093]],
  ["katakana", [0x30a1, 0x30f3]],
] as const;

const PLACES = [
  ["tracks", "/tracks", (name: string) => track({ title: name })],
  ["playlists", "/playlists", playlist],
  ["users", "/users", user],
] as const;

describe.for(PLACES)("%s in text without blanks", ([, path, named]) => {
  test.for(SCRIPTS)("any two or more adjacent characters find it: %s", async ([, range]) => {
    const word = uniqueWord();
    const name = charactersOf(range, 6);
    const id = await named(`${word} x${name.join("")}y`);
    const within = (from: number, to?: number) => name.slice(from, to).join("");
    const apart = `${name[0]}${name[2]}`;
    for (const q of [within(0, 2), within(2, 4), within(4), within(1, 5), within(0), `"${within(1, 4)}"`])
      expect([q, await listed(other, { q: `${word} ${q}` }, path)]).toEqual([q, [id]]);
    for (const q of [apart, within(4) + within(0, 1), `${within(0)}${name[0]}`, `"${apart}"`])
      expect([q, await listed(other, { q: `${word} ${q}` }, path)]).toEqual([q, []]);
  });

  test("two characters suffice as the whole text", async () => {
    const name = charactersOf(HAN, 5).join("");
    const id = await named(name);
    expect(await listed(other, { q: name.slice(2, 4) }, path)).toContain(id);
    expect(await listed(other, { q: name.slice(1, 5) }, path)).toEqual([id]);
  });

  test("emoji count as words", async () => {
    const word = uniqueWord();
    const id = await named(`${word} night🌙drive`);
    for (const q of ["🌙", "night 🌙", "🌙drive", `"night 🌙 drive"`])
      expect([q, await listed(other, { q: `${word} ${q}` }, path)]).toEqual([q, [id]]);
    for (const q of ["🌚", `"🌙 night"`])
      expect([q, await listed(other, { q: `${word} ${q}` }, path)]).toEqual([q, []]);
  });
});

describe("a search in text without blanks", () => {
  test("a single character finds it, too", async () => {
    const word = uniqueWord();
    const [a = "", b = "", c = "", d = ""] = charactersOf(HAN, 4);
    const id = await track({ title: `${word} ${a}${b}${c}` });
    for (const q of [a, b, c, `"${b}"`]) expect([q, await search(`${word} ${q}`)]).toEqual([q, [id]]);
    expect(await search(`${word} ${d}`)).toEqual([]);
  });

  test("characters across a blank, punctuation or two fields are not adjacent", async () => {
    const word = uniqueWord();
    const [a = "", b = "", c = "", d = "", e = "", f = ""] = charactersOf(HAN, 6);
    const id = await track({ title: `${word} ${a}${b} ${c}、${d}`, genre: e, tag_list: f });
    for (const [q, found] of [
      [`${a}${b} ${c} ${d} ${e} ${f}`, [id]],
      [`${b}${c}`, []],
      [`${c}${d}`, []],
      [`${d}${e}`, []],
      [`"${d} ${e}"`, []],
      [`"${e} ${f}"`, []],
      [`"${a}${b} ${c} ${d}"`, [id]],
    ] as const)
      expect([q, await search(`${word} ${q}`)]).toEqual([q, found]);
  });

  test("scripts mix in a search, with or without blanks, and prefixes of words count", async () => {
    const word = uniqueWord();
    const id = await track({ title: `${word} 東京techno夜`, tag_list: "深夜" });
    for (const q of [
      "東京 techno",
      "techno 東京",
      "東京 tech",
      "東京techno",
      "東京tech",
      "京techno",
      "techno夜",
      "深夜 東京",
      `"東京 techno"`,
      `"京techno夜"`,
    ])
      expect([q, await search(`${word} ${q}`)]).toEqual([q, [id]]);
    for (const q of ["東京 house", "techno東京", "夜東", `"東京 tech"`, "京都 techno"])
      expect([q, await search(`${word} ${q}`)]).toEqual([q, []]);
  });

  test.for([
    ["halfwidth kana", "ﾊﾟﾝｸ･ﾛｯｸ", "パンク"],
    ["kana with their marks apart", "か\u3099くせい", "がく"],
    ["fullwidth letters", "ＴＥＣＨＮＯ夜", "techno夜"],
    ["fullwidth digits", "第９章", "9章"],
    ["letters of Hangul apart", "한국".normalize("NFD"), "한국"],
    ["halfwidth Hangul", "ﾡ\uffc2ﾤ", "가"],
    ["compatibility ideographs", "\uf900福", "\u8c48福"],
    ["the vowel am of Thai", "น้ำใจ", "น้ํา"],
    ["a long vowel's mark", "スーパー", "ーパ"],
    ["an iteration mark", "佐々木", "々木"],
    ["a blank without width", "ไทย\u200bแลนด์", "ยแ"],
  ])("both forms match each other: %s", async ([, title = "", q = ""]) => {
    const word = uniqueWord();
    const id = await track({ title: `${word} ${title}` });
    for (const asked of [q, title]) expect([asked, await search(`${word} ${asked}`)]).toEqual([asked, [id]]);
  });

  test("titles outrank tags and descriptions, with two characters and more", async () => {
    const name = charactersOf(HAN, 5);
    const [whole, part] = [name.join(""), name.slice(1, 3).join("")];
    const description = await track({ description: `<p>${whole}</p>` });
    const tag = await track({ tag_list: whole });
    const title = await track({ title: `${whole}` });
    const oldest = await track({ description: whole });
    for (const q of [part, whole, `"${whole}"`])
      expect([q, await search(q)]).toEqual([q, [title, tag, oldest, description]]);
  });

  test("the end of the longest description is searchable", async () => {
    const description = charactersOf(HAN, 20_000 - "<p></p>".length);
    const id = await track({ description: `<p>${description.join("")}</p>` });
    for (const from of [0, 9_000, 15_000, 17_000, 19_980])
      expect([from, await search(description.slice(from, from + 6).join(""))]).toEqual([from, [id]]);
  });
});

describe("emoji", () => {
  test.for([
    ["a variation selector", "love ❤\ufe0f", "❤"],
    ["the look of text", "love ❤\ufe0e", "❤\ufe0f"],
    ["a skin tone", "clap 👏🏽", "👏"],
    ["another skin tone", "clap 👏🏽", "👏🏿"],
    ["a person of several signs", "singer 👩🏽\u200d🎤", "👩\u200d🎤"],
    ["one of several signs", "singer 👩🏽\u200d🎤", "🎤"],
    ["a family", "us 👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"],
    ["a keycap", "track 1\ufe0f\u20e3", "1"],
    ["a flag", "from 🇯🇵🇫🇷", "🇫🇷"],
    ["beside letters", "fire🔥mix", "🔥"],
    ["beside kanji", "東京🗼夜", "🗼夜"],
    ["a sign that is no emoji", "♪ humming", "♪"],
    ["two of them", "sun ☀️🌊 sea", "☀🌊"],
  ])("match in every spelling: %s", async ([, title = "", q = ""]) => {
    const word = uniqueWord();
    const id = await track({ title: `${word} ${title}` });
    for (const asked of [q, title]) expect([asked, await search(`${word} ${asked}`)]).toEqual([asked, [id]]);
  });

  test("are distinguished", async () => {
    const word = uniqueWord();
    await track({ title: `${word} 👨\u200d👩\u200d👧 🇯🇵🇱🇹 ❤️ 🎸` });
    for (const q of ["👩\u200d👨", "🇵🇱", "💙", "🎻", "👨\u200d👧"])
      expect([q, await search(`${word} ${q}`)]).toEqual([q, []]);
  });
});
