import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { choiceOf } from "../stored-select.ts";
import { type AppRow, findApp } from "./apps.ts";
import { type Caller, firstRow, sessionOf, signedIn } from "./caller.ts";
import { linkedId, presentTrack } from "./links.ts";
import { readPlaylist, type Shown, type ShownPlaylist } from "./playlists.ts";
import { type ShownTrack, shownTo, showTracks } from "./show-tracks.ts";
import { showUsers, type UserRow } from "./show-users.ts";
import type { AccessFacts } from "./track-rows.ts";

/** Target of an address, by id or by permalinks. Only tracks and playlists have an owner's permalink. */
export interface Named {
  kind: "app" | "user" | "track" | "playlist";
  id?: number;
  owner?: string;
  permalink?: string;
}

/** The resource, if there is one. */
interface Resolved {
  app?: AppRow | undefined;
  user?: UserRow | undefined;
  track?: ShownTrack | undefined;
  playlist?: ShownPlaylist | undefined;
}

/** Finds nothing without a kind, but still checks the session. `shown` applies to playlists. */
export async function resolve(
  db: Database,
  caller: Caller,
  named: Partial<Named>,
  facts: AccessFacts,
  shown: Shown,
): Promise<Resolved> {
  const meant = idOf(named);
  const choice = choiceOf(sql`select ${meant}`, []);
  switch (named.kind) {
    case "app":
      return { app: await findApp(db, caller, meant) };
    case "user":
      return { user: await db.read(showUsers.chosenBy(choice, sessionOf(caller))).then(firstRow) };
    case "track":
      return { track: await db.read(showTracks.chosenBy(choice, shownTo(caller, facts))).then(firstRow) };
    case "playlist":
      return { playlist: await readPlaylist(db, caller, meant, { facts, shown, access: undefined }) };
    default:
      await db.read(sql`select ${signedIn(caller)}`);
      return {};
  }
}

/** Id of the named resource, as an expression that is evaluated once. Null if there is none. */
export function idOf({ id, ...link }: Partial<Named>): SQL {
  if (id === undefined) return linkedId(link);
  return link.kind === "track" ? presentTrack(id) : sql`${id}::bigint`;
}
