import { eq, type SQL, sql } from "drizzle-orm";
import { supersededTracks } from "../schema/former-addresses.ts";
import { builder } from "../stored-select.ts";

/** Kind and permalinks of a link to the site. Only tracks and playlists have an owner's permalink. */
interface Link {
  kind?: string | undefined;
  owner?: string | undefined;
  permalink?: string | undefined;
}

/** Id behind a link, former permalinks included. Null if there is none. Evaluated once. */
export const linkedId = ({ kind, owner, permalink }: Link): SQL =>
  sql`(select linked_id(${kind ?? null}, ${owner ?? null}, ${permalink ?? null}))`;

/** Id of a track, or of the one that took its place. Evaluated once. */
export const presentTrack = (id: number): SQL => {
  const successor = builder
    .select({ id: supersededTracks.trackId })
    .from(supersededTracks)
    .where(eq(supersededTracks.id, id));
  return sql`(select coalesce((${successor}), ${id}::bigint))`;
};
