import { SEEDED } from "./seed.ts";

/** Pages of ten, because the smaller library then has a thousand. */
export const SMALL_PAGE = 10;
export const LAST_PAGE = 1000;

const DAY_MS = 86_400_000;
const written = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

const { common, frequent, usual, rare, japanese, genre, rareGenre, tag } = SEEDED;

/** Queries by name: each filter alone, and usual combinations. */
export const scaleQueries = (ids: string, lastPage: string): Record<string, string> => {
  const yesterday = written(Date.now() - DAY_MS);
  const asked: Record<string, Record<string, string | number>> = {
    "a page of 50": {},
    "page 1 of 10": { limit: SMALL_PAGE },
    "page 1,000, by offset": { limit: SMALL_PAGE, offset: SMALL_PAGE * (LAST_PAGE - 1) },
    "oldest first": { sort: "asc" },
    "q, rare": { q: rare },
    "q, one in 100": { q: usual },
    "q, common": { q: common },
    "q, two common": { q: `${common} ${frequent}` },
    "q, two, one rare": { q: `${common} ${rare}` },
    "q, rare and a first letter": { q: `${rare} a` },
    "q, common, by time": { q: common, sort: "desc" },
    "q, no match": { q: "zzzzzz" },
    "q, Japanese, common": { q: japanese.common },
    "q, Japanese, one in 100": { q: japanese.usual },
    "q, Japanese, rare": { q: japanese.rare },
    "q, Japanese, inside a name": { q: japanese.usual.slice(1) },
    "q, Japanese, one character": { q: japanese.common.slice(0, 1) },
    "q, Japanese and Latin, common": { q: `${japanese.common} ${common}` },
    "50 ids": { ids },
    "genres, common": { genres: genre },
    "genres, rare": { genres: rareGenre },
    tags: { tags: tag },
    "filter=public": { filter: "public" },
    "filter=private": { filter: "private" },
    "license, common": { license: "all-rights-reserved" },
    "license, one in 100": { license: "cc-by-nc-sa" },
    "types, common": { types: "original" },
    "types, one in 1,000": { types: "podcast" },
    "access=playable": { access: "playable" },
    "access=preview, one in 100": { access: "preview" },
    "access=blocked, one in 100": { access: "blocked" },
    "bpm[from], common": { "bpm[from]": 90 },
    "bpm[to], one in 100": { "bpm[to]": 61.5 },
    "bpm, narrow": { "bpm[from]": 120, "bpm[to]": 121 },
    "duration[from], common": { "duration[from]": 60_000 },
    "duration[to], one in 100": { "duration[to]": 36_000 },
    "created_at[from]": { "created_at[from]": yesterday },
    "created_at[to]": { "created_at[to]": yesterday },
    "genres and narrow bpm": { genres: genre, "bpm[from]": 120, "bpm[to]": 121 },
  };
  const paths = Object.entries(asked).map(([what, parameters]) => {
    const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return [what, `/tracks?${query.join("&")}`];
  });
  return { "page 1,000, by cursor": lastPage, ...Object.fromEntries(paths) };
};
