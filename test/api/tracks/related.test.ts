import { beforeAll, describe, expect, test } from "vitest";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { allPages, listed, refusal, uniqueWord } from "./lists.support.ts";

let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = [await createUser(), await createUser()];
});

const pathOf = (id: number, query = "") => `/tracks/${id}/related${query}`;

/** Ids of related tracks, as `who` sees them. */
const relatedTo = (id: number, who: { token: string } = ben, parameters: Record<string, unknown> = {}) =>
  listed(who as Person, parameters, pathOf(id));

const made = async (who: Person, columns: Record<string, unknown> = {}) =>
  (await createPlayableTrack(who, columns)).id;

describe("the track with most in common comes first", () => {
  test("the artist's name weighs three, each tag two, the genre one; the newest wins ties", async () => {
    const [genre, tag, other, artist] = [uniqueWord(), uniqueWord(), `${uniqueWord()} of two`, uniqueWord()];
    const seed = await made(ana, { genre, tag_list: `${tag} "${other}"`, artist });
    const unlike = await made(ben, { genre: uniqueWord(), tag_list: uniqueWord() });
    const byGenre = await made(ben, { genre: genre.toUpperCase() });
    const alsoByGenre = await made(ben, { genre });
    const byTag = await made(ben, { tag_list: `x ${tag} y` });
    const byArtist = await made(ben, { artist });
    const byTagAndGenre = await made(ben, { genre, tag_list: `"${other}"` });
    const byAll = await made(ben, { genre, tag_list: `${tag} "${other}"`, artist });
    const byTags = await made(ben, { tag_list: `"${other}" ${tag}` });
    const named = await made(ben, { title: `Song (feat. ${artist})` });
    const found = await relatedTo(seed);
    expect(found).toEqual([byAll, byTags, named, byTagAndGenre, byArtist, byTag, alsoByGenre, byGenre]);
    expect(found).not.toContain(unlike);
    expect(await relatedTo(seed)).toEqual(found);
  });

  test("a description that mentions the artist's name does not count", async () => {
    const han = String.fromCodePoint(0x20000 + Math.floor(Math.random() * 0xa000));
    for (const artist of [`The ${uniqueWord()}`, han]) {
      const [owner, genre] = [await createUser(), uniqueWord()];
      const seed = await made(owner, { artist, genre });
      const byArtist = await made(owner, { artist });
      await made(ben, { description: `My cover of ${artist}` });
      const byGenre = await made(ben, { genre, description: artist });
      expect(await relatedTo(seed)).toEqual([byArtist, byGenre]);
      expect(await relatedTo(seed, ben, { q: genre })).toEqual([byGenre]);
    }
  });

  test("the owner's other tracks follow, newest first", async () => {
    const [owner, genre, artist] = [await createUser(), uniqueWord(), uniqueWord()];
    const first = await made(owner, { artist: uniqueWord() });
    const seed = await made(owner, { genre, artist });
    const last = await made(owner, { artist: uniqueWord() });
    const byGenre = await made(ben, { genre });
    expect(await relatedTo(seed)).toEqual([byGenre, last, first]);
  });

  test("a track with nothing in common has no related ones", async () => {
    const alone = await createUser();
    for (const columns of [{}, { artist: "!!!" }, { artist: "!!!", tag_list: '"" !!!', genre: "" }])
      expect(await relatedTo((await createPlayableTrack(await createUser(), columns)).id)).not.toContain(
        alone.id,
      );
    expect(await relatedTo(await made(alone))).toEqual([]);
  });
});

describe("tracks that the caller may not see (X10)", () => {
  test("are never related, except the caller's own", async () => {
    const genre = uniqueWord();
    const owner = await createUser();
    const gone = await createUser();
    const seed = await made(owner, { genre });
    const open = await made(owner, { genre });
    const hidden = await createPlayableTrack(owner, { genre, sharing: "private" });
    const failed = (await createTrack(owner, { genre, state: "failed" })).id;
    const left = await made(gone, { genre });
    await sql("update users set disabled_at = now() where id = $1", [gone.id]);
    await sql("insert into track_shares (track_id, user_id) values ($1, $2)", [hidden.id, ben.id]);
    for (const who of [ben, await createAppToken()]) {
      expect(await relatedTo(seed, who)).toEqual([open]);
      expect(await relatedTo(seed, who, { secret_token: hidden.secret })).toEqual([open]);
    }
    expect(await relatedTo(seed, owner)).toEqual([failed, hidden.id, open]);
    expect((await refusal(ben, "", pathOf(left)))[0]).toBe(404);
  });

  test("have no related ones, unless their secret token is presented", async () => {
    const genre = uniqueWord();
    const { id, secret } = await createPlayableTrack(ana, { genre, sharing: "private" });
    const other = await made(ben, { genre });
    const stranger = await createUser();
    expect((await refusal(stranger, "", pathOf(id)))[0]).toBe(404);
    expect((await refusal(stranger, "secret_token=s-wrong", pathOf(id)))[0]).toBe(404);
    expect(await relatedTo(id, stranger, { secret_token: secret })).toContain(other);
    expect(await relatedTo(id, ana)).toContain(other);
  });
});

describe("like every list of tracks", () => {
  test("they are paged once each, whatever changes meanwhile", async () => {
    const [genre, tag] = [uniqueWord(), uniqueWord()];
    const [seed, ...others] = [
      await made(await createUser(), { genre, tag_list: tag }),
      ...(await many(9, { genre })),
    ];
    const tagged = await many(4, { tag_list: tag });
    const expected = [...tagged.reverse(), ...others.reverse()];
    const [gone = 0] = others;
    const pages = await allPages(
      ben,
      { limit: 3 },
      {
        path: pathOf(seed),
        between: async () => {
          await many(3, { genre, tag_list: tag });
          await sql("delete from tracks where id = $1", [gone]);
        },
      },
    );
    expect(pages.flat()).toEqual(expected.filter((id) => id !== gone));
    expect(pages.slice(0, -1).every(({ length }) => length === 3)).toBe(true);
  });

  const many = async (count: number, columns: Record<string, unknown>) => {
    const ids: number[] = [];
    while (ids.length < count) ids.push(await made(ben, columns));
    return ids;
  };

  test("they accept filters, and a sort orders them by time", async () => {
    const [genre, word] = [uniqueWord(), uniqueWord()];
    const seed = await made(await createUser(), { genre });
    const plain = await made(ben, { genre, bpm: 90 });
    const blocked = await made(ana, { genre, streamable: false, license: "cc-by" });
    const titled = await made(ben, { genre, title: word, bpm: 120 });
    const cases: [Record<string, unknown>, number[]][] = [
      [{}, [titled, blocked, plain]],
      [{ sort: "asc" }, [plain, blocked, titled]],
      [{ sort: "created_at", offset: 1 }, [blocked, plain]],
      [{ access: "playable,preview" }, [titled, plain]],
      [{ access: "blocked" }, [blocked]],
      [{ q: word }, [titled]],
      [{ q: "!!!" }, []],
      [{ license: "cc-by" }, [blocked]],
      [{ "bpm[from]": 100 }, [titled]],
      [{ ids: `${plain},${seed}` }, [plain]],
      [{ limit: 1 }, [titled]],
      [{ filter: "private" }, []],
    ];
    for (const [parameters, expected] of cases)
      expect([parameters, await relatedTo(seed, ben, parameters)]).toEqual([parameters, expected]);
    expect((await allPages(ben, { sort: "asc", limit: 1 }, { path: pathOf(seed) })).flat()).toEqual([
      plain,
      blocked,
      titled,
    ]);
  });

  test("invalid parameters are named, including a cursor of another list", async () => {
    const seed = await made(ana);
    expect(await refusal(ben, "limit=0", pathOf(seed))).toEqual([422, expect.stringContaining("limit")]);
    expect(await refusal(ben, "access=x", pathOf(seed))).toEqual([422, expect.stringContaining("access")]);
    expect(await refusal(ben, "cursor=x", pathOf(seed))).toEqual([400, expect.stringContaining("cursor")]);
    expect((await refusal(ben, "", "/tracks/1/related"))[0]).toBe(404);
  });
});
