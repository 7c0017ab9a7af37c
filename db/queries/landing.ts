import { and, eq, gte, isNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { favorites } from "../schema/favorites.ts";
import { users } from "../schema/people.ts";
import { playlistFavorites } from "../schema/playlist-favorites.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { numbersOf, showBeside } from "../show-beside.ts";
import { builder } from "../stored-select.ts";
import { type Caller, firstIdAt } from "./caller.ts";
import { matchesOf } from "./choose-tracks.ts";
import { idOf, type Named } from "./resolve.ts";
import { showPlaylists } from "./show-playlists.ts";
import { showTracks } from "./show-tracks.ts";
import { inOrder } from "./site-discovery.ts";
import { countedFor, entriesOf, openingFor, rowsFor } from "./site-lists.ts";
import type { AccessFacts } from "./track-rows.ts";
import { isListedPlaylist } from "./visibility.ts";

/** Numbers of newest tracks and sets to examine. */
const LATEST = 500;
const LATEST_LEADS = 100;

/** Likes beyond this number count no more. */
const MOST_LIKES = 1_000;

/** Likes that the operator's choice counts as: more than any other can have. */
const CHOSEN = MOST_LIKES + 1;

/** Most new tracks of one uploader. */
const OF_ONE = 2;

/** A track that plays for everybody. */
const isOpen = and(
  eq(tracks.state, "finished"),
  eq(tracks.sharing, "public"),
  tracks.streamable,
  isNull(tracks.availableCountryCodes),
  isNull(tracks.paywall),
);

const WEEK = firstIdAt(sql`now() - interval '7 days'`);

interface LandingQuery {
  country: string | undefined;
  /** The track or set that the operator chose to lead the page. */
  chosen: Named | undefined;
  /** Most tracks of each list. */
  newest: number;
  popular: number;
  entries: number;
}

/**
 * Finds what visitors see first: a set or a track that leads, the newest tracks, and the most popular of the latest. The lead is
 * the operator's choice, or else the most liked in a week among the latest, or else the newest. All of them play for everybody.
 */
export async function readLanding(
  db: Database,
  caller: Caller,
  { country, chosen, newest, popular, entries }: LandingQuery,
) {
  const facts: AccessFacts = { secretHash: undefined, country };
  const given = sql`with heard as materialized (${heard}), lead as materialized (${leadOf(chosen)})`;
  const leadingSet = sql`(select lead.id from lead where kind = 'playlist')`;
  const places = (at: SQL, from: SQL, limit: number) =>
    sql`(select id, null::bigint, ${at} from ${from} limit ${limit})`;
  const turns = sql`(select *, row_number() over (partition by user_id order by id desc) as turn from heard) turns`;
  const recent = sql`(select id, row_number() over (order by id desc) as place from ${turns} where turn <= ${OF_ONE}) newest order by place`;
  const liked = sql`(select id, row_number() over (order by weight desc, id desc) as place from heard where weight > 0) liked order by place`;
  const listed = sql`(${entriesOf(leadingSet, openingFor(caller, facts)).limit(entries)}) entries`;
  const choice = numbersOf(
    sql`${given} select track, playlist, max(newest), max(popular), max(entry), max(leads) from (
      ${places(sql`place, null::bigint, null::bigint, null::bigint`, recent, newest)}
      union all ${places(sql`null, place, null, null`, liked, popular)}
      union all (select id, null, null, null, place, null from ${listed})
      union all (select case kind when 'track' then id end, case kind when 'playlist' then id end, null, null, null, 1 from lead)
    ) shown(track, playlist, newest, popular, entry, leads) group by track, playlist`,
    ["track", "playlist", "newest", "popular", "entry", "leads"],
  );
  const found = await db.read(
    showBeside(
      choice,
      (ids) => showTracks.table({ ids, ...rowsFor(caller, facts) }),
      (ids) => showPlaylists.table({ ids, ...countedFor(caller, facts) }),
    ),
  );
  const rows = found.flatMap(([places, track]) => (track ? [{ ...track, ...places }] : []));
  return {
    newest: inOrder(rows, (row) => row.newest),
    popular: inOrder(rows, (row) => row.popular),
    entries: inOrder(rows, (row) => row.entry),
    track: rows.find((row) => row.leads !== null),
    set: found.map(([, , set]) => set).find((set) => set !== undefined),
  };
}

/** The latest tracks that play for everybody. A hidden count ranks nobody. */
const heard = sql`select ${tracks.id}, ${tracks.userId}, case when ${tracks.revealStats}
    then ${tracks.playbackCount} + 5 * ${tracks.favoritingsCount} else 0 end as weight
  from (${matchesOf({}, false, { userId: null, country: undefined }, { documents: false }).first(LATEST)}) latest
    join ${tracks} on ${tracks.id} = latest.id
  where ${isOpen}`;

/** Chooses a row of kind and id from `heard` and the sets. None if nothing is published. */
function leadOf(chosen: Named | undefined): SQL {
  const likesOf = (table: typeof favorites | typeof playlistFavorites, isOfLead: SQL) =>
    sql`(select count(*) from (select from ${table} where ${and(isOfLead, gte(table.id, WEEK))} limit ${MOST_LIKES}) likes)`;
  const trackLikes = likesOf(favorites, sql`${favorites.trackId} = latest.id`);
  const setLikes = likesOf(playlistFavorites, sql`${playlistFavorites.playlistId} = latest.id`);
  const leads = [
    sql`select 'track' as kind, id, ${trackLikes} as likes from (select id from heard order by id desc limit ${LATEST_LEADS}) latest`,
    sql`select 'playlist', id, ${setLikes} from (${setsWith(undefined).limit(LATEST_LEADS)}) latest`,
  ];
  if (chosen?.kind === "track")
    leads.push(sql`select 'track', id, ${CHOSEN} from (${openTrack(idOf(chosen))}) chosen`);
  if (chosen?.kind === "playlist")
    leads.push(
      sql`select 'playlist', id, ${CHOSEN} from (${setsWith(eq(playlists.id, idOf(chosen)))}) chosen`,
    );
  return sql`select kind, id from (${sql.join(leads, sql` union all `)}) leads order by likes desc, id desc limit 1`;
}

const openTrack = (id: SQL) =>
  builder
    .select({ id: tracks.id })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(eq(tracks.id, id), isOpen, isNull(users.disabledAt)));

/** Public sets with a track that plays, the newest first. */
const setsWith = (condition: SQL | undefined) =>
  builder
    .select({ id: playlists.id })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(
      and(
        condition,
        isListedPlaylist(null),
        sql`exists (select from ${playlistTracks} join ${tracks} on ${tracks.id} = ${playlistTracks.trackId}
          join ${users} artist on artist.id = ${tracks.userId} and artist.disabled_at is null
          where ${playlistTracks.playlistId} = ${playlists.id} and ${isOpen})`,
      ),
    )
    .orderBy(sql`${playlists.id} desc`);
