import type { Database } from "../client.ts";
import { AppRow } from "./apps.ts";
import { type Caller, callAs } from "./caller.ts";
import { UserRow } from "./people.ts";
import { PlaylistPage, type Reading, type Shown } from "./playlists.ts";
import { type Presented, presented, TrackRow } from "./tracks.ts";

/** What an address names: by its id, or else by permalinks, of which only tracks and playlists have an owner's. */
export interface Named {
  kind: "app" | "user" | "track" | "playlist";
  id?: number;
  owner?: string;
  permalink?: string;
}

/** What its own GET would find, under its own name there. */
const Resolved = () =>
  PlaylistPage().partial().extend({
    app: AppRow().nullable().optional(),
    user: UserRow().nullable().optional(),
    track: TrackRow().nullable().optional(),
  });

/** Of no name nothing is found, but whether the caller's session still lives. `shown` is of a playlist. */
export const resolve = (
  db: Database,
  caller: Caller,
  { kind, id, owner, permalink }: Partial<Named>,
  with_: Presented,
  shown: Shown,
  known: Reading["known"],
) =>
  callAs(db, "resolve", Resolved, caller, {
    kind: kind ?? null,
    id: id ?? null,
    owner: owner ?? null,
    permalink: permalink ?? null,
    ...presented(with_),
    show: shown,
    known,
  });
