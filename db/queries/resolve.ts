import type { Database } from "../client.ts";
import type { AppRow } from "./apps.ts";
import { type Caller, callAs } from "./caller.ts";
import type { UserRow } from "./people.ts";
import type { PlaylistPage, Reading, Shown } from "./playlists.ts";
import { type Presented, presented, type TrackRow } from "./tracks.ts";

/** What an address names: by its id, or else by permalinks, of which only tracks and playlists have an owner's. */
export interface Named {
  kind: "app" | "user" | "track" | "playlist";
  id?: number;
  owner?: string;
  permalink?: string;
}

/** What its own GET would find, under its own name there. */
interface Resolved extends Partial<PlaylistPage> {
  app?: AppRow | null;
  user?: UserRow | null;
  track?: TrackRow | null;
}

/** Of no name nothing is found, but whether the caller's session still lives. `shown` is of a playlist. */
export const resolve = (
  db: Database,
  caller: Caller,
  { kind, id, owner, permalink }: Partial<Named>,
  with_: Presented,
  shown: Shown,
  known: Reading["known"],
) =>
  callAs<Resolved>(
    db,
    "resolve",
    caller,
    kind ?? null,
    id ?? null,
    owner ?? null,
    permalink ?? null,
    ...presented(with_),
    shown,
    JSON.stringify(known),
  );
