import * as z from "zod";
import type { Database } from "../client.ts";
import type { Named } from "./resolve.ts";
import { type AccessFacts, accessParameters, TrackRow } from "./track-rows.ts";

/** Finds the tracks that an embedded player plays. Null if it shows nothing. */
export const embeddedSounds = (
  db: Database,
  { kind, id, owner, permalink }: Partial<Named>,
  facts: AccessFacts,
): Promise<TrackRow[] | null> =>
  db.call("embedded_sounds", () => z.array(TrackRow()).nullable(), {
    kind: kind ?? null,
    id: id ?? null,
    owner: owner ?? null,
    permalink: permalink ?? null,
    ...accessParameters(facts),
  });
