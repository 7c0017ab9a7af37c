import { and, eq, type SQL, sql } from "drizzle-orm";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { StoredSelect } from "../stored-select.ts";
import type { Drizzle } from "../transports/open.ts";
import { askedIds, FENCE, number } from "./show-parts.ts";
import { entryAccess, isShownEntry, isVisiblePlaylist, type Opening } from "./visibility.ts";

/**
 * Tracks that the reader sees in a playlist, to join laterally in a statement over `playlists`. `access` is an array of the
 * kinds of access that count; null allows any.
 */
export function visibleEntries(
  on: Drizzle,
  opening: Opening,
  access: SQL,
  ...conditions: (SQL | undefined)[]
) {
  const allowed = on
    .select({ access: sql`${entryAccess(opening)}`.as("access") })
    .from(sql`(values (1)) one`)
    .offset(FENCE)
    .as("allowed");
  return on
    .select({
      id: tracks.id,
      position: playlistTracks.position,
      streams: sql<boolean>`case when ${tracks.userId} = ${opening.user} then ${tracks.streamable}
        else ${allowed.access} <> 'blocked' end`.as("streams"),
      access: allowed.access,
      state: tracks.state,
      embeddableBy: tracks.embeddableBy,
      downloadable: tracks.downloadable,
      durationMs: tracks.durationMs,
      media: tracks.media,
    })
    .from(playlistTracks)
    .innerJoin(tracks, eq(tracks.id, playlistTracks.trackId))
    .innerJoin(users, eq(users.id, tracks.userId))
    .innerJoinLateral(allowed, sql`true`)
    .where(
      and(
        eq(playlistTracks.playlistId, playlists.id),
        isShownEntry(opening),
        sql`${allowed.access} <> 'none' and (${access} is null or ${allowed.access} = any (${access}))`,
        ...conditions,
      ),
    )
    .as("entries");
}

/**
 * Reads the visible tracks of playlists, in order, each with its playlist's id and the number of playlists read. It
 * reads the visible playlists among `ids` until they have `most` tracks together, but at least one playlist.
 */
export const entriesOfPlaylists = new StoredSelect(
  "entries_of_playlists",
  {
    ids: "bigint[]",
    user: "bigint",
    secret_hash: "bytea",
    country: "text",
    access: "text[]",
    most: "integer",
  },
  (given, on) => {
    const asked = askedIds(on, given.ids);
    const listed = on
      .with(asked)
      .select({ id: playlists.id, place: sql`row_number() over (order by ${asked.place})`.as("place") })
      .from(asked)
      .innerJoin(playlists, eq(playlists.id, asked.id))
      .innerJoin(users, eq(users.id, playlists.userId))
      .where(isVisiblePlaylist(given));
    const entries = visibleEntries(on, given, given.access);
    const shown = on
      .select({ ids: sql`coalesce(array_agg(${entries.id} order by ${entries.position}), '{}')`.as("ids") })
      .from(entries);
    // The bound keeps PostgreSQL from reading the tracks of all playlists before it knows which is next.
    const next = sql`(select listed.place, page.reached, next.* from page join listed on listed.place = page.place + 1
      join ${playlists} next on next.id = listed.id offset 0)`;
    const page = sql`(with recursive listed as ${listed}, page as (
        select 0::bigint as place, null::bigint as id, '{}'::bigint[] as ids, 0 as reached
        union all
        select playlists.place, playlists.id, shown.ids, playlists.reached + cardinality(shown.ids)
        from ${next} playlists cross join lateral ${shown} shown
        where playlists.place = 1 or playlists.reached + cardinality(shown.ids) <= ${given.most})
      select entry.id, page.id as playlist, (select max(place) from page) as playlists
      from page, unnest(page.ids) with ordinality entry(id, place) order by page.place, entry.place)`;
    return on
      .select({
        id: number(sql`entry.id`),
        playlist: number(sql`entry.playlist`),
        playlists: number(sql`entry.playlists`),
      })
      .from(sql`${page} entry`);
  },
);
