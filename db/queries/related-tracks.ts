import type { Database } from "../client.ts";
import { type Caller, callAs } from "./caller.ts";
import type { FoundTracks, KnownTracks } from "./track-lists.ts";
import { type Presented, presented } from "./tracks.ts";

/** Where a page ended. */
export interface RelatedPosition {
  rank: number;
  key: number;
  /** Between these ids everything is that the list was made of when it began. */
  low: number;
  high: number;
}

interface RelatedPage extends Partial<RelatedPosition> {
  limit: number;
  offset: number;
  /** By age; what has most in common first where left out. */
  ascending?: boolean | undefined;
}

interface RelatedQuery {
  /** As `find_tracks` reads it. */
  filter: object;
  page: RelatedPage;
  known: KnownTracks;
}

type RelatedTracks = { found: false } | { found: true; tracks: FoundTracks; next: RelatedPosition | null };

/** `found` is whether the track itself is for this caller. */
export const listRelatedTracks = (
  db: Database,
  caller: Caller,
  id: number,
  with_: Presented,
  { filter, page, known }: RelatedQuery,
) =>
  callAs<RelatedTracks>(
    db,
    "list_related_tracks",
    caller,
    id,
    ...presented(with_),
    JSON.stringify(filter),
    JSON.stringify(page),
    JSON.stringify(known),
  );
