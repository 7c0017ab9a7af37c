import { type SQL, sql } from "drizzle-orm";
import { users } from "../schema/people.ts";
import { playlistSearch } from "../schema/playlist-search.ts";
import { knownWords, trackDocuments } from "../schema/search.ts";
import { type Choice, choiceOf } from "../stored-select.ts";
import type { ListPage, Place } from "./choose-matches.ts";
import { type SearchFilter, wordsOf } from "./track-filters.ts";

/** Documents that everybody may see. The words of a correction stand in one of them. */
const PUBLIC = {
  tracks: { from: trackDocuments, id: trackDocuments.id, is: sql`${trackDocuments.listed}` },
  playlists: { from: playlistSearch, id: playlistSearch.id, is: sql`${playlistSearch.public}` },
  users: { from: users, id: users.id, is: sql`${users.disabledAt} is null` },
};

/** A place, and the words that were searched for instead of those typed, or null. */
export type ForgivenPlace = Place & { meant: string | null };

const PLACE = ["place", "rank", "low", "high", "meant"] as const;

/** Shorter words are one error away from too many others. */
const SHORTEST = sql.raw("3");
/** Longer searches are no names. */
const MOST_WORDS = 8;
/** Known words that are compared with a typed one, and documents that are compared with all. */
const MOST_CANDIDATES = sql.raw("200");
const MOST_DOCUMENTS = sql.raw("500");

interface Forgiving {
  /** Such documents are searched. */
  kind: keyof typeof PUBLIC;
  filter: SearchFilter;
  page: ListPage;
}

/**
 * Chooses by the words as typed, or if asked to forgive and no public document has these, by the closest ones that one has.
 * PostgreSQL looks for those only then. Further pages are those of a search for the words that were meant. A phrase in quotes is
 * never corrected.
 */
export function forgive<Chosen extends SearchFilter>(
  { kind, filter, page }: Forgiving & { filter: Chosen },
  choose: (filter: Chosen) => Choice<Place>,
): Choice<ForgivenPlace> {
  const { words = [], phrases = [] } = filter;
  const typed = choose(filter).getSQL();
  const isFirst = page.id === undefined && page.low === undefined;
  if (!filter.forgiving || !isFirst || phrases.length > 0 || words.length === 0 || words.length > MOST_WORDS)
    return choiceOf<ForgivenPlace>(sql`select typed.*, null from (${typed}) typed(id, ${columns})`, PLACE);
  const { from, id, is } = PUBLIC[kind];
  const { document } = from;
  const unknown = sql`not exists (select from found)
    and not exists (select from ${from} where ${is} and ${document} @@ ${wordsOf(filter)})`;
  return choiceOf<ForgivenPlace>(
    sql`with found(id, ${columns}) as materialized (${typed}),
      meant as materialized (select text, search_words(jsonb_build_object('words', to_jsonb(string_to_array(text, ' ')))) as query
        from (${closest(words.join(" "), { from: sql`${from}`, id: sql`${id}`, document: sql`${document}`, is })}) closest
        where ${unknown})
      select found.*, null from found
      union all select instead.*, (select text from meant) from (${choose({ ...filter, meant: true }).getSQL()}) instead(id, ${columns})
        where exists (select from meant)`,
    PLACE,
  );
}

const columns = sql.raw("place, rank, low, high");

/**
 * Selects the words with the fewest typing errors that one public document has, of several those that most have. A word may
 * also stay as it was typed. Words are close if they share what remains without one or two letters: trigrams would miss `raido`
 * for `radio`, and need an extension.
 */
const closest = (
  text: string,
  { from, id, document, is }: Record<"from" | "id" | "document" | "is", SQL>,
) => sql`
  with typed as materialized (
    select place, word, search_neighbours(word) as neighbours
    from unnest(string_to_array(search_text(${text}), ' ')) with ordinality typed(word, place)),
  candidates as materialized (
    select place, word, 0 as errors, ('''' || word || ''':*')::tsquery as term from typed
    union all
    select place, near.word, errors, ('''' || near.word || '''')::tsquery from typed,
      lateral (select ${knownWords.word} as word from ${knownWords}
        where search_neighbours(${knownWords.word}) && typed.neighbours limit ${MOST_CANDIDATES}) near,
      lateral (select greatest(length(typed.word), length(near.word)) - max(length(shared)) as errors
        from (select unnest(typed.neighbours) intersect select unnest(search_neighbours(near.word))) both_have(shared)) compared
    where length(typed.word) >= ${SHORTEST} and near.word <> typed.word),
  every as (select string_agg(either, ' & ')::tsquery as term
    from (select '(' || string_agg(term::text, ' | ') || ')' as either from candidates group by place) each),
  few as materialized (select ${id} as id, ${document} as document from ${from}
    where ${is} and ${document} @@ (select term from every) limit ${MOST_DOCUMENTS}),
  near as (select distinct on (few.id, place) few.id, place, word, errors from few join candidates on document @@ term
    order by few.id, place, errors, word)
  select text from (select string_agg(word, ' ' order by place) as text, sum(errors) as errors from near group by id) texts
  group by text, errors order by errors, count(*) desc, text limit 1`;
