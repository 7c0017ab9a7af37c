import { eq, gte, lt, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { users } from "../schema/people.ts";
import { trackDocuments as documents } from "../schema/search.ts";
import { tracks } from "../schema/tracks.ts";
import type { Access } from "./track-rows.ts";
import { trackAccess } from "./visibility.ts";

/** The search of a list. */
export interface SearchFilter {
  words?: string[] | undefined;
  phrases?: string[] | undefined;
  /** Whether typing errors are corrected. */
  forgiving?: true | undefined;
  /** The words are those of the table `meant`. */
  meant?: true | undefined;
}

/** Filters of a list of tracks. A track must match all of them. */
export interface TrackFilter extends SearchFilter {
  owner?: number | undefined;
  /** The user whose favorites or reposts are listed, in their order. */
  favored_by?: number | undefined;
  reposted_by?: number | undefined;
  /** The user who accepted to be an artist of the listed tracks. */
  credited?: number | undefined;
  ids?: number[] | undefined;
  genres?: string[] | undefined;
  tags?: string[] | undefined;
  sharing?: "public" | "private" | undefined;
  licenses?: string[] | undefined;
  types?: string[] | undefined;
  access?: Access[] | undefined;
  downloadable?: true | undefined;
  bpm_from?: number | undefined;
  bpm_to?: number | undefined;
  /** Milliseconds. */
  duration_from?: number | undefined;
  duration_to?: number | undefined;
  /** Ids grow with time. The last is not included. */
  id_from?: number | undefined;
  id_to?: number | undefined;
}

/** The reader of a list. */
export interface ListReader {
  userId: number | null;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
}

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

/** The query for the words and phrases of a search, or `undefined` without any. Punctuation alone gives null, which matches nothing. */
export const wordsOf = ({ words, phrases, meant }: SearchFilter): SQL | undefined =>
  meant ? sql`(select query from meant)` : words && sql`search_words(${json({ words, phrases })})`;

/** The search as a name: its words, or its phrase. */
const nameOf = ({ words = [], phrases = [], meant }: SearchFilter): SQL =>
  meant ? sql`(select text from meant)` : sql`search_text(${[...words, ...phrases].join(" ")})`;

/**
 * Matches a title or username that is exactly the search. One more than twice as long cannot match, so it is not folded. The
 * factor allows for Hangul, where three letters may write one syllable.
 */
export function isNamed(title: SQLWrapper, filter: SearchFilter): SQL {
  const name = nameOf(filter);
  return sql`case when length(${title}) <= greatest(2 * length(${name}), 3) then search_text(${title}) = ${name} end`;
}

const pays = (userId: number | null) =>
  sql`exists (select from ${users} where ${users.id} = ${userId}::bigint and ${users.plan} <> 'free')`;

/** Everything that a track's document must match, or `undefined`. */
export function documentQuery(filter: TrackFilter, { userId, country }: ListReader): SQL | undefined {
  const { genres, tags, licenses, types, downloadable, access } = filter;
  return [
    wordsOf(filter),
    anyLabel("genre", genres),
    anyLabel("tag", tags),
    anyLabel("license", licenses),
    anyLabel("type", types),
    downloadable && label("downloadable"),
    // Playable tracks are the majority, the others have labels. The select keeps it from running for each row.
    access && !access.includes("playable")
      ? sql`(select case when ${pays(userId)} then ${deniedQuery(access, country, true)}
          else ${deniedQuery(access, country, false)} end)`
      : undefined,
  ].reduce(matchBoth);
}

const label = (name: string) => sql.raw(`''':${name}'''::tsquery`);

/** Blocked tracks or previews by their labels, as `track_access_rule` defines them for everyone but the owner. */
function deniedQuery(access: Access[], country: string | undefined, isPaying: boolean): SQL {
  const isAllowed = anyLabel("country", country === undefined ? undefined : [country]);
  const blocked = [
    label("unstreamable"),
    matchBoth(label("countries"), isAllowed && sql`!!${isAllowed}`),
    isPaying ? undefined : label("paywall=blocked"),
  ].reduce(matchEither);
  const preview = isPaying ? undefined : matchBoth(label("paywall=preview"), sql`!!${blocked}`);
  const isWanted = (kind: Access) => access.includes(kind);
  const wanted = matchEither(
    isWanted("blocked") ? blocked : undefined,
    isWanted("preview") ? preview : undefined,
  );
  return wanted ?? label("nothing");
}

const anyLabel = (kind: string, values: string[] | undefined) =>
  values && sql`search_any_label(${kind}, ${json(values)})`;

/** The query that both queries must match. */
export const matchBoth = (one: SQL | undefined, other: SQL | undefined): SQL | undefined =>
  one && other ? sql`(${one} && ${other})` : (one ?? other);

/** The query that matches what one of both matches. */
const matchEither = (one: SQL | undefined, other: SQL | undefined): SQL | undefined =>
  one && other ? sql`(${one} || ${other})` : (one ?? other);

const when = <Value>(value: Value | undefined, condition: (value: Value) => SQL) =>
  value === undefined ? [] : [condition(value)];

/** Matches tracks that fit the filter, but for its document query, and that lists show to the reader. */
export const fitting = (filter: TrackFilter, reader: ListReader): SQL[] => [
  sql`(${documents.listed} or ${documents.userId} = ${reader.userId}::bigint)`,
  ...fits(filter, reader),
  ...when(filter.access, (wanted) => hasAccess(wanted, reader)),
];

/** Matches tracks that fit the filter, without the checks of access and listing. */
export function fits(filter: TrackFilter, { userId }: ListReader): SQL[] {
  const { sharing, bpm_from, bpm_to, duration_from, duration_to, id_from, id_to } = filter;
  return [
    // Nobody lists another's private tracks.
    ...(sharing === "private" ? [sql`${documents.userId} = ${userId}::bigint`] : []),
    ...when(sharing, (wanted) => eq(documents.sharing, wanted)),
    ...when(filter.ids, (ids) => sql`${documents.id} = any (${sql.param(ids)}::bigint[])`),
    ...when(bpm_from, (from) => gte(documents.bpm, from)),
    ...when(bpm_to, (to) => lte(documents.bpm, to)),
    ...when(duration_from, (from) => gte(documents.durationMs, from)),
    ...when(duration_to, (to) => lte(documents.durationMs, to)),
    ...when(id_from, (from) => gte(documents.id, from)),
    ...when(id_to, (to) => lt(documents.id, to)),
  ];
}

function hasAccess(access: Access[], { userId, country }: ListReader): SQL {
  const given = trackAccess({
    user: sql`${userId}::bigint`,
    secret_hash: sql`null::bytea`,
    country: sql`${country ?? null}::text`,
  });
  return sql`(select ${given} from ${tracks} join ${users} on ${users.id} = ${tracks.userId}
    where ${tracks.id} = ${documents.id}) = any (${sql.param(access)})`;
}
