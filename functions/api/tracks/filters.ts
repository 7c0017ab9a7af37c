import * as z from "zod";
import { ID_EPOCH_MS, IDS_PER_MS } from "../../../db/queries/caller.ts";
import type { TrackFilter } from "../../../db/queries/track-filters.ts";
import { documentedAs, idText, oneOf, text } from "../../lib/text/fields.ts";
import { instantText } from "../../lib/text/instant.ts";
import { Forgiving, idsOf, listOf, parseSearch, SearchText, URNS } from "../../lib/text/search.ts";
import { Access, License, TrackType } from "./vocabulary.ts";

const MAX_IDS = 200;
const MAX_LIST_CHARS = 2000;

/** Returns the lowest id that a track of this second may have. */
const firstIdOf = (second: number): number =>
  Math.min(Math.max(0, (second * 1000 - ID_EPOCH_MS) * IDS_PER_MS), Number.MAX_SAFE_INTEGER);

/** An entry of a comma list. In double quotes it may hold commas, and two quotes stand for one. */
const WORDS = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(?:,|$)/g;

/** Free words; empty ones are dropped. */
const wordsList = text(MAX_LIST_CHARS)
  .transform((list) =>
    Array.from(list.matchAll(WORDS), ([, quoted, plain = ""]) =>
      (quoted?.replaceAll('""', '"') ?? plain).trim(),
    ).filter((word) => word !== ""),
  )
  .meta(documentedAs({ type: "array", items: { type: "string" } }));

/** Plain decimals without exponent, `NaN` or `Infinity`. */
const decimal = z
  .string()
  .regex(/^-?[0-9]{1,12}(?:\.[0-9]{1,12})?$/, "must be a number")
  .transform(Number)
  .meta(documentedAs({ type: "number" }));

const TIMES = "`yyyy-mm-dd hh:mm:ss` in UTC, `yyyy/mm/dd hh:mm:ss +0000` as in replies, or RFC 3339";

const QUOTES = `Put one that contains a comma in double quotes. ${MAX_LIST_CHARS} characters at most.`;

const ids = listOf(idText("tracks"), MAX_IDS).optional();

const SHARINGS = ["all", "public", "private"];

/** In the order that older clients send. */
const FILTERS = [
  ...SHARINGS,
  ...["streamable", "downloadable", "streamable,downloadable"].flatMap((words) => [
    words,
    ...SHARINGS.map((sharing) => `${words},${sharing}`),
  ]),
];

const FILTER_FAULT = `must be one of ${SHARINGS.join(", ")}, streamable and downloadable, or a list of these with one of the first three at most`;

/** At most one word about sharing. Older clients send other words instead or beside it, in any order. */
const filterWords = z
  .string()
  .transform((list) => list.split(",").map((word) => word.trim()))
  .refine(
    (words) =>
      words.every((word) => [...SHARINGS, "streamable", "downloadable"].includes(word)) &&
      words.filter((word) => SHARINGS.includes(word)).length <= 1,
    FILTER_FAULT,
  )
  .meta(documentedAs({ enum: FILTERS }));

const Sort = oneOf(["asc", "desc", "created_at"]);

/** Older clients also send orders that no longer exist, such as `hotness`. */
const olderSort = z
  .string()
  .transform((name) => Sort.safeParse(name).data)
  .meta(documentedAs({ type: "string" }))
  .optional();

/** Query parameters of every list of tracks. Parameters combine with AND, entries of a comma list with OR. */
export const TrackFilters = z.object({
  q: SearchText.describe(
    "Matches every word, or its beginning, in title, artist, description, genre, tags or username; a phrase in double quotes matches exactly. Chinese, Japanese, Korean, Thai and similar scripts match by two or more adjacent characters, emoji as words. The best matches among the newest 1,000 come first, of more than 4,000 those among the newest 200, unless `sort` is given.",
  ),
  forgiving: Forgiving,
  ids: ids.describe("Ids or URNs, comma-separated, 200 at most."),
  urns: ids.meta({ ...URNS, description: "The same as `ids`." }),
  genres: wordsList.optional().describe(`Genres, comma-separated. ${QUOTES}`),
  tags: wordsList.optional().describe(`Tags, comma-separated. ${QUOTES}`),
  filter: filterWords
    .optional()
    .describe(
      "`all`: public tracks and your own. `public`: public tracks alone. `private`: your own private tracks. For older clients, `streamable`: those that you can hear, at least as a preview; and `downloadable`: those whose owners let others download them. Both also go together, and with one of the first three, separated by commas.",
    ),
  license: listOf(License, License.options.length).optional().describe("Licenses, comma-separated."),
  types: listOf(TrackType, TrackType.options.length).optional().describe("Track types, comma-separated."),
  access: listOf(Access, Access.options.length)
    .optional()
    .describe("`playable`, `preview`, `blocked`, comma-separated. Filters by your access."),
  "bpm[from]": decimal.optional().describe("Inclusive."),
  "bpm[to]": decimal.optional().describe("Inclusive."),
  "duration[from]": decimal.optional().describe("Milliseconds, inclusive."),
  "duration[to]": decimal.optional().describe("Milliseconds, inclusive."),
  "created_at[from]": instantText(Math.ceil).optional().describe(`${TIMES}: at or after.`),
  "created_at[to]": instantText(Math.floor)
    .optional()
    .describe(`${TIMES}: at or before, to the whole second.`),
  sort: Sort.optional().describe(
    "Sorts by time: `asc` oldest first; `desc` and `created_at` newest first, without ranking.",
  ),
  order: olderSort.describe("The same as `sort`, for older clients. Other values are ignored."),
  direction: olderSort.describe("The same as `order`, also beside `order=created_at`."),
});
type TrackFilters = z.output<typeof TrackFilters>;

/** Returns the requested order, by any of its names. `created_at` leaves the direction to later parameters. */
export function sortOf({ sort, order, direction }: TrackFilters): z.output<typeof Sort> | undefined {
  const given = [sort, order, direction].filter((name) => name !== undefined);
  return given.find((name) => name !== "created_at") ?? given[0];
}

const some = <Item>(list: Item[] | undefined) => (list?.length ? list : undefined);
const mapped = (value: number | undefined, map: (value: number) => number) =>
  value === undefined ? undefined : map(value);

/** `filter=streamable` is the older name for this choice of `access`. */
const STREAMABLE: TrackFilter["access"] = ["playable", "preview"];

const accessOf = ({ filter, access }: TrackFilters) =>
  filter?.includes("streamable")
    ? STREAMABLE.filter((one) => !access || access.some((wanted) => wanted === one))
    : access;

function sharingOf({ filter }: TrackFilters): TrackFilter["sharing"] {
  if (filter?.includes("private")) return "private";
  return filter?.includes("public") ? "public" : undefined;
}

/** Converts the query to the database's filter. `created_at` becomes ids, which grow with time. */
export function trackFilter(
  given: TrackFilters,
  whose: Pick<TrackFilter, "owner" | "favored_by" | "reposted_by" | "credited">,
): TrackFilter {
  return {
    ...whose,
    ...parseSearch(given),
    ids: idsOf(given.ids, given.urns),
    genres: some(given.genres),
    tags: some(given.tags),
    sharing: sharingOf(given),
    licenses: given.license,
    types: given.types,
    access: accessOf(given),
    downloadable: given.filter?.includes("downloadable") || undefined,
    bpm_from: given["bpm[from]"],
    bpm_to: given["bpm[to]"],
    duration_from: mapped(given["duration[from]"], Math.ceil),
    duration_to: mapped(given["duration[to]"], Math.floor),
    id_from: mapped(given["created_at[from]"], firstIdOf),
    id_to: mapped(given["created_at[to]"], (last) => firstIdOf(last + 1)),
  };
}
