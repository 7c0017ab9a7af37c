import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { playlists } from "../schema/playlists.ts";
import { podcastImports } from "../schema/podcast-imports.ts";
import { removals } from "../schema/removals.ts";
import { objectGarbage } from "../schema/uploads.ts";
import { firstRow } from "./caller.ts";
import { dueAfterStoring } from "./garbage.ts";

/** Pictures of podcasts that move in. */

/** Whether a set has no picture, and none that operators removed, which the feed would bring back. */
const isCoverless = sql`${playlists}.artwork_version is null and not exists (select from ${removals} r
  where r.playlist_id = ${playlists}.id and r.kind = 'picture' and r.restored_at is null)`;

/** The set's cover is wanted once, while it has none. Returns the feed's facts and the owner. */
export const findCoverless = (db: Database, ofImport: number) =>
  db
    .read((on) =>
      on
        .select({ set: playlists.id, owner: playlists.userId, show: podcastImports.show })
        .from(podcastImports)
        .innerJoin(playlists, eq(playlists.id, podcastImports.playlistId))
        .where(
          and(
            eq(podcastImports.id, ofImport),
            eq(podcastImports.state, "running"),
            sql`not ${podcastImports.show} ? 'cover_asked'`,
            isCoverless,
          ),
        ),
    )
    .then(firstRow);

/** Lists a picture's prefix as garbage before its first file is stored. */
export const listImportedPicture = async (db: Database, owner: number, prefix: string): Promise<string> => {
  await db.write((on) =>
    on.insert(objectGarbage).values({ prefix, bucket: "media", dueAt: dueAfterStoring }),
  );
  return String(owner);
};

/** Shows a picture on a set that has none. */
export const showCover = (db: Database, set: number, version: string, colors: string | null) =>
  db.write((on) =>
    on
      .update(playlists)
      .set({ artworkVersion: version, artworkColors: colors, updatedAt: sql`now()` })
      .where(and(eq(playlists.id, set), isCoverless)),
  );

/** A cover is not asked for again: its owner may have taken it off. */
export const noteCover = (db: Database, ofImport: number) =>
  db.write((on) =>
    on
      .update(podcastImports)
      .set({ show: sql`${podcastImports.show} || '{"cover_asked": true}'` })
      .where(eq(podcastImports.id, ofImport)),
  );
