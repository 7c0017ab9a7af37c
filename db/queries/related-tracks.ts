import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { FoundTracks, type KnownTracks } from "./track-lists.ts";
import { type Presented, presented } from "./tracks.ts";

/** Where a page ended. */
export const RelatedPosition = () =>
  z.strictObject({
    rank: z.number(),
    key: z.number(),
    /** Between these ids everything is that the list was made of when it began. */
    low: z.number(),
    high: z.number(),
  });
export type RelatedPosition = Told<typeof RelatedPosition>;

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

const RelatedTracks = () =>
  z.union([
    z.strictObject({
      found: z.literal(false),
    }),
    z.strictObject({
      found: z.literal(true),
      tracks: FoundTracks(),
      next: RelatedPosition().nullable(),
    }),
  ]);

/** `found` is whether the track itself is for this caller. */
export const listRelatedTracks = (
  db: Database,
  caller: Caller,
  id: number,
  with_: Presented,
  { filter, page, known }: RelatedQuery,
) =>
  callAs(db, "list_related_tracks", RelatedTracks, caller, { id, ...presented(with_), filter, page, known });
