import { and, eq, type SQL, sql } from "drizzle-orm";
import { bytea } from "../bytea.ts";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { trackDocuments as documents } from "../schema/search.ts";
import { tracks } from "../schema/tracks.ts";
import { builder, choiceOf, selected } from "../stored-select.ts";
import type { Caller } from "./caller.ts";
import { matchesOf } from "./choose-tracks.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { documentQuery, fitting, type ListReader, type TrackFilter } from "./track-filters.ts";
import { type OrderedTracksQuery, type TrackList, toTrackList } from "./track-lists.ts";
import type { AccessFacts } from "./track-rows.ts";
import { trackAccess } from "./visibility.ts";

/** End of a page. */
export interface RelatedPosition {
  rank: number;
  key: number;
  /** Bounds of the ids from which the list was built, fixed by its first page. */
  low: number;
  high: number;
}

/** Candidates: the newest tracks that share a value, and the newest of the owner's. */
const ALIKE = 500;
const OWNED = 200;

type Page = OrderedTracksQuery<RelatedPosition>["page"];

/** Ranks tracks by what they share with another: artist 3, tag 2, genre 1, then the owner's others. */
export async function listRelatedTracks(
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  asked: OrderedTracksQuery<RelatedPosition>,
): Promise<TrackList<RelatedPosition>> {
  const [subject, rows] = await db.readAll([
    selected(
      builder
        .select({ id: tracks.id })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(isSubject(id, caller, facts)),
    ),
    relatedTracks(id, caller, facts, asked),
  ]);
  if (!subject.length) return { found: false };
  return toTrackList(rows, asked.page.limit, ({ rank, key, low, high }) => ({ rank, key, low, high }));
}

/** `id` may be an expression for it. */
export function relatedTracks(
  id: number | SQL,
  caller: Caller,
  facts: AccessFacts,
  { filter, page }: OrderedTracksQuery<RelatedPosition>,
) {
  const reader = { userId: caller.userId, country: facts.country };
  const choice = choiceOf<{ rank: number; key: number; low: number; high: number }>(
    related(id, isSubject(id, caller, facts), filter, page, reader),
    ["rank", "key", "low", "high"],
  );
  return showTracks.chosenBy(choice, shownTo(caller, { ...facts, secretHash: undefined }));
}

/** Matches the track, if the caller sees it. */
const isSubject = (id: number | SQL, caller: Caller, facts: AccessFacts) =>
  and(eq(tracks.id, id), sql`${accessOf(caller, facts)} <> 'none'`);

const accessOf = ({ userId }: Caller, { secretHash, country }: AccessFacts) =>
  trackAccess({
    user: sql`${userId}::bigint`,
    secret_hash: sql`${secretHash ? bytea(secretHash) : null}::bytea`,
    country: sql`${country ?? null}::text`,
  });

/** The common values of a track as queries. Descriptions do not count: artists have common words for names, such as Air. */
const source = (isVisible: SQL | undefined) => sql`
  select *, (select string_agg('(' || q::text || ')', ' | ')::tsquery from unnest(array[artist, genre, any_tag]) q) as common
  from (select ${tracks.userId} as user_id,
      search_term(coalesce(${tracks.artist}, ${users.username}), false) as artist,
      search_any_label('genre', jsonb_build_array(${tracks.genre})) as genre,
      search_any_label('tag', to_jsonb(array(select tags_of(${tracks.tagList})))) as any_tag,
      array(select search_label('tag', tag) from tags_of(${tracks.tagList}) tag) as tags
    from ${tracks} join ${users} on ${users.id} = ${tracks.userId} where ${isVisible}) terms`;

function related(
  id: number | SQL,
  isVisible: SQL | undefined,
  filter: TrackFilter,
  { rank, key, low, high, limit, offset, ascending }: Page,
  reader: ListReader,
): SQL {
  const matches = matchesOf(filter, false, reader, {
    documents: true,
    shared: sql`(select common from source)`,
  });
  const within = and(
    low === undefined ? undefined : sql`place >= ${low}`,
    high === undefined ? undefined : sql`place <= ${high}`,
  );
  const wanted = documentQuery(filter, reader);
  const isWanted = and(
    ...fitting(filter, reader),
    sql`${documents.userId} = (select user_id from source)`,
    wanted && sql`${documents.document} @@ ${wanted}`,
    high === undefined ? undefined : sql`${documents.id} <= ${high}`,
  );
  const shared = sql`case when document @@ whole_in_names(artist) then 3 else 0 end
    + case when document @@ genre then 1 else 0 end
    + 2 * (length(document) - length(ts_delete(document, tags)))`;
  return sql`with source as materialized (${source(isVisible)}), ${matches.given},
    alike as materialized (${matches.first(sql`${sql.raw(String(ALIKE))}`, within)}),
    owned as materialized (
      select ${documents.id} as id, ${documents.document} as document from ${documents}
      where ${isWanted} order by id desc limit ${sql.raw(String(OWNED))}),
    ends as materialized (
      select coalesce(${low ?? null}, (select min(id) from alike having count(*) = ${sql.raw(String(ALIKE))}),
          ${filter.id_from ?? 0}::bigint) as low,
        coalesce(${high ?? null}, greatest((select max(id) from alike), (select max(id) from owned))) as high)
    select id, rank, key, low, high from (
      select candidates.id, ${ascending === undefined ? shared : sql`0`} as rank,
        ${ascending ? sql`-candidates.id` : sql`candidates.id`} as key
      from (select id, document, bool_or(own) as own from (
          select id, document, false as own from alike union all select id, document, true from owned) each
        group by id, document) candidates, source
      where candidates.id <> ${id} and (own or ${shared} > 0)) ranked, ends
    where ${rank === undefined ? sql`true` : sql`(rank, key) < (${rank}::integer, ${key ?? null}::bigint)`}
    order by rank desc, key desc limit ${limit + 1} offset ${offset}`;
}
