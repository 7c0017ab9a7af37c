import type { Database } from "../client.ts";
import { AppRow } from "./apps.ts";
import { type Caller, callAs } from "./caller.ts";
import { UserRow } from "./people.ts";
import { PlaylistPage, type Reading, type Shown } from "./playlists.ts";
import { type AccessFacts, accessParameters, TrackRow } from "./track-rows.ts";

/** Target of an address, by id or by permalinks. Only tracks and playlists have an owner's permalink. */
export interface Named {
  kind: "app" | "user" | "track" | "playlist";
  id?: number;
  owner?: string;
  permalink?: string;
}

/** The resource, under the key that its own GET uses. */
const Resolved = () =>
  PlaylistPage().partial().extend({
    app: AppRow().nullable().optional(),
    user: UserRow().nullable().optional(),
    track: TrackRow().nullable().optional(),
  });

/** Finds nothing without a name, but still checks the session. `shown` applies to playlists. */
export const resolve = (
  db: Database,
  caller: Caller,
  { kind, id, owner, permalink }: Partial<Named>,
  facts: AccessFacts,
  shown: Shown,
  held: Reading["held"],
) =>
  callAs(db, "resolve", Resolved, caller, {
    kind: kind ?? null,
    id: id ?? null,
    owner: owner ?? null,
    permalink: permalink ?? null,
    ...accessParameters(facts),
    show: shown,
    held,
  });
