import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlistSearch } from "../schema/playlist-search.ts";
import { playlists } from "../schema/playlists.ts";
import { trackDocuments } from "../schema/search.ts";
import { tracks } from "../schema/tracks.ts";
import { type Caller, signedIn } from "./caller.ts";
import { type SearchFilter, wordsOf } from "./track-filters.ts";

/** A track, playlist or user with such a name, as everybody sees it. */
export interface SuggestedRow {
  kind: "track" | "playlist" | "user";
  id: number;
  name: string;
  /** The version of its picture, or null. */
  picture: string | null;
  /** The colours of artwork that has some. */
  colors: string | null;
  permalink: string;
  owner_permalink: string;
  owner: string;
}

/** Matches of a kind whose popularity is compared. A short beginning has more, and each further letter fewer. */
const COMPARED = sql.raw("300");
const SHOWN = sql.raw("8");

/**
 * Suggests public tracks, playlists and users by the beginnings of words in titles and names: those that begin with the text
 * first, popular ones first. A count that its owner hides ranks nobody.
 */
export async function suggest(
  db: Database,
  caller: Caller,
  text: string,
  search: SearchFilter,
): Promise<SuggestedRow[]> {
  const words = wordsOf(search) ?? sql`null::tsquery`;
  // An index has the names alone: words of descriptions are many, and begin with everything.
  const named = (document: SQL, isPublic: SQL) =>
    sql`${isPublic} and ts_filter(${document}, '{a}') @@ ${words}`;
  const best = (kind: SuggestedRow["kind"], columns: SQL, from: SQL) => sql`
    (select ${kind}::text as kind, named.*, row_number() over () as place from (
      select *, starts_with(lower(name), lower(${text})) as begins from (select ${columns} from ${from}) each
      order by begins desc, weight desc, id desc limit ${SHOWN}) named)`;
  const ofTracks = best(
    "track",
    sql`${tracks.id} as id, ${tracks.title} as name, ${tracks.artworkVersion} as picture, ${tracks.artworkColors} as colors, ${tracks.permalink} as permalink,
      ${users.permalink} as owner_permalink, ${users.username} as owner,
      case when ${tracks.revealStats} then ${tracks.playbackCount} + 5 * ${tracks.favoritingsCount} else 0 end as weight`,
    sql`(select ${trackDocuments.id} as id from ${trackDocuments}
        where ${named(sql`${trackDocuments.document}`, sql`${trackDocuments.listed}`)} limit ${COMPARED}) found
      join ${tracks} on ${tracks.id} = found.id join ${users} on ${users.id} = ${tracks.userId}`,
  );
  const ofPlaylists = best(
    "playlist",
    sql`${playlists.id} as id, ${playlists.title} as name, ${playlists.artworkVersion} as picture, ${playlists.artworkColors} as colors, ${playlists.permalink} as permalink,
      ${users.permalink} as owner_permalink, ${users.username} as owner, ${playlists.favoritingsCount} as weight`,
    sql`(select ${playlistSearch.id} as id from ${playlistSearch}
        where ${named(sql`${playlistSearch.document}`, sql`${playlistSearch.public}`)} limit ${COMPARED}) found
      join ${playlists} on ${playlists.id} = found.id join ${users} on ${users.id} = ${playlists.userId}`,
  );
  const ofUsers = best(
    "user",
    sql`${users.id} as id, ${users.username} as name, ${users.avatarVersion} as picture, null::text as colors, ${users.permalink} as permalink,
      ${users.permalink} as owner_permalink, ${users.username} as owner, ${users.followersCount} as weight`,
    sql`(select * from ${users} where ${named(sql`${users.document}`, sql`${users.disabledAt} is null`)} limit ${COMPARED}) ${users}`,
  );
  // People before sets before tracks of the same place.
  return db.read<SuggestedRow>(sql`select kind, id::float8 as id, name, picture, colors, permalink, owner_permalink, owner
    from (${ofTracks} union all ${ofPlaylists} union all ${ofUsers}) suggested
    where ${signedIn(caller)} order by begins desc, place, kind desc, id desc limit ${SHOWN}`);
}
