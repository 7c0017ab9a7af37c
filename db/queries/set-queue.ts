import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { builder, selected } from "../stored-select.ts";
import type { Caller } from "./caller.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { entriesOf, openingFor, rowsFor } from "./site-lists.ts";
import type { AccessFacts, TrackRow } from "./track-rows.ts";
import { isVisiblePlaylist } from "./visibility.ts";

/** Lists all tracks of a playlist that the caller sees, in order. `undefined` if the caller sees no such playlist. */
export async function listSetTracks(
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
): Promise<TrackRow[] | undefined> {
  const opening = openingFor(caller, facts);
  const visible = builder
    .select({ id: playlists.id })
    .from(playlists)
    .innerJoin(users, eq(users.id, playlists.userId))
    .where(and(eq(playlists.id, id), isVisiblePlaylist(opening)));
  const [[playlist], tracks] = await db.readAll([
    selected(visible),
    showTracks.chosenBy(entriesOf(sql`${id}`, opening), rowsFor(caller, facts)),
  ]);
  return playlist && tracks;
}

/** Those of the tracks that the caller sees without any private link, in order. */
export async function listVisibleIds(db: Database, caller: Caller, ids: number[]): Promise<number[]> {
  const anywhere = { secretHash: undefined, country: undefined };
  const rows = await db.read(showTracks.with({ ids, ...shownTo(caller, anywhere, 0) }));
  return rows.map(({ id }) => id);
}
