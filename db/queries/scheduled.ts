import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";

/**
 * Everything that one owner publishes at one time, such as a playlist and its tracks. It becomes public in one transaction.
 */
interface Release {
  user_id: number;
  /** PostgreSQL's text, with all digits. */
  publish_at: string;
}

const START: Release = { user_id: 0, publish_at: "-infinity" };

/**
 * Releases whose time has come, as `user_id` and `publish_at`. A release waits for tracks that are still encoded, so that it plays
 * when it appears. Failed tracks stay behind: nobody could play them. A suspended owner's releases wait for the end of the suspension.
 */
export const readyReleases = sql`select due.user_id, due.publish_at
    from (
      select ${tracks.userId}, ${tracks.publishAt}, ${tracks.state} = 'finished' as is_ready from ${tracks}
      where ${tracks.publishAt} <= now() and ${tracks.state} <> 'failed'
      union all
      select ${playlists.userId}, ${playlists.publishAt}, true from ${playlists} where ${playlists.publishAt} <= now()
    ) due join ${users} on ${users.id} = due.user_id and ${users.disabledAt} is null
    group by due.publish_at, due.user_id having bool_and(due.is_ready)`;

/** Lists releases to publish, behind `after`. */
export const dueReleases = (db: Database, limit: number, after = START): Promise<Release[]> =>
  db.read<Release>(sql`
    select ready.user_id::float8 as user_id, ready.publish_at::text as publish_at from (${readyReleases}) ready
    where (ready.publish_at, ready.user_id) > (${after.publish_at}::timestamptz, ${after.user_id}::bigint)
    order by ready.publish_at, ready.user_id limit ${limit}`);

/**
 * Publishes a release. Of two runs, the second waits for the rows and finds their time gone. The time of a track or set that
 * operators removed ends without effect. Tracks are published from the last to the first and playlists after them, so that lists with the newest
 * on top begin with the playlist and go on in its order.
 */
export const publishRelease = (db: Database, { user_id, publish_at }: Release): Promise<unknown> => {
  const isDue = (table: typeof tracks | typeof playlists) => sql`${table.userId} = ${user_id}::bigint
    and ${table.publishAt} = ${publish_at}::timestamptz and ${table.publishAt} <= now()`;
  const sharedNow = ({ takenDownAt }: typeof tracks | typeof playlists) =>
    sql`case when ${takenDownAt} is null then 'public' else 'private' end`;
  return db.writeAtLength(sql`
    with ready as materialized (
      select ${users.id} from ${users} where ${users.id} = ${user_id}::bigint and ${users.disabledAt} is null
        and not exists (select from ${tracks} where ${isDue(tracks)} and ${tracks.state} = 'processing')
    ), due_playlists as materialized (
      select ${playlists.id} from ${playlists} where ${isDue(playlists)} and exists (select from ready)
      order by ${playlists.id} for update
    ), due_tracks as materialized (
      select ${tracks.id} from ${tracks} where ${isDue(tracks)} and ${tracks.state} = 'finished' and exists (select from ready)
        and (select count(*) from due_playlists) >= 0
      order by ${tracks.id} for update
    ), ordered_tracks as materialized (
      select due_tracks.id from due_tracks left join lateral (
        select max(${playlistTracks.position}) as last from ${playlistTracks}
        where ${playlistTracks.trackId} = due_tracks.id and ${playlistTracks.playlistId} in (select id from due_playlists)) place on true
      order by place.last desc nulls first, due_tracks.id desc
    ), published_tracks as (
      update ${tracks} set sharing = ${sharedNow(tracks)}, publish_at = null, updated_at = now()
      from ordered_tracks where ${tracks.id} = ordered_tracks.id returning ${tracks.id}
    ), published_playlists as (
      update ${playlists} set sharing = ${sharedNow(playlists)}, publish_at = null, updated_at = now()
      from due_playlists where ${playlists.id} = due_playlists.id and (select count(*) from published_tracks) >= 0
      returning ${playlists.id}
    )
    select count(*) from published_playlists`);
};
