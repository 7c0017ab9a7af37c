import type { Database } from "../client.ts";
import type { AppRow } from "./apps.ts";
import { type Caller, callAs } from "./caller.ts";
import type { UserRow } from "./people.ts";
import type { PlaylistPage, Reading } from "./playlists.ts";
import { type Presented, presented, type TrackRow } from "./tracks.ts";

/** What an address names: by the id that it holds, or by permalinks, of which only tracks and playlists have an owner's. */
export type Named = { kind: "app" | "user" | "track" | "playlist" } & (
  | { id: number }
  | { owner?: string; permalink: string }
);

/** What its own GET would find, under its own name there. */
interface Resolved extends Partial<PlaylistPage> {
  app?: AppRow | null;
  user?: UserRow | null;
  track?: TrackRow | null;
}

export function resolve(
  db: Database,
  caller: Caller,
  named: Named,
  with_: Presented,
  known: Reading["known"],
) {
  const by = "id" in named ? [named.id, null, null] : [null, named.owner ?? null, named.permalink];
  return callAs<Resolved>(
    db,
    "resolve_v1",
    caller,
    named.kind,
    ...by,
    ...presented(with_),
    JSON.stringify(known),
  );
}
