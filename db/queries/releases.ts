import * as z from "zod";
import type { Database } from "../client.ts";
import type { BudgetLimit } from "./budgets.ts";
import { type Caller, callAs } from "./caller.ts";
import { type NewPlaylist, PlaylistWritten } from "./own-playlists.ts";

/** The first track that hinders a release. `title` is null for a track that is not the caller's. */
const ReleaseRefusal = () =>
  z.strictObject({
    outcome: z.enum(["unknown_track", "taken_down", "failed_track"]),
    title: z.string().nullable(),
  });

interface NewRelease extends NewPlaylist {
  /** Columns that each track gets. */
  trackFields: Record<string, unknown>;
}

/** Creates a playlist of the caller's tracks and makes it and them public, all or nothing. */
export const createRelease = (
  db: Database,
  caller: Caller,
  release: NewRelease,
  country: string | undefined,
  budget: BudgetLimit | null,
) =>
  callAs(db, "create_release", () => z.union([ReleaseRefusal(), PlaylistWritten()]), caller, {
    playlist: release.fields,
    track: release.trackFields,
    permalink: release.permalink,
    secret_hash: release.secretHash,
    secret_sealed: release.secretSealed,
    tracks: release.trackIds,
    country: country ?? null,
    budget,
  });
