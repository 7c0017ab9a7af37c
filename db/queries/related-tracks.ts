import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { OrderedTracks, type OrderedTracksQuery } from "./track-lists.ts";
import { type AccessFacts, accessParameters } from "./tracks.ts";

/** End of a page. */
export const RelatedPosition = () =>
  z.strictObject({
    rank: z.number(),
    key: z.number(),
    /** Bounds of the ids from which the list was built, fixed by its first page. */
    low: z.number(),
    high: z.number(),
  });
export type RelatedPosition = ReplyOf<typeof RelatedPosition>;

const RelatedTracks = () =>
  z.union([
    z.strictObject({
      found: z.literal(false),
    }),
    OrderedTracks(RelatedPosition()),
  ]);

/** `found` tells whether the caller sees the track itself. */
export const listRelatedTracks = (
  db: Database,
  caller: Caller,
  id: number,
  facts: AccessFacts,
  { filter, page, held }: OrderedTracksQuery<RelatedPosition>,
) =>
  callAs(db, "list_related_tracks", RelatedTracks, caller, {
    id,
    ...accessParameters(facts),
    filter,
    page,
    held,
  });
