import { and, eq, gte, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, unionAll } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { takedowns } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { chapterPictures } from "../schema/podcasts.ts";
import { removals } from "../schema/removals.ts";
import { tracks } from "../schema/tracks.ts";
import { objectGarbage } from "../schema/uploads.ts";
import { type Caller, signedIn, signedInToSite, siteUser } from "./caller.ts";
import { dueAfterStoring } from "./garbage.ts";
import { inSeconds } from "./jobs.ts";

/**
 * Lists a prefix as garbage before its objects are stored, and returns the user's id. Saving a row that refers to
 * the prefix removes it from the list.
 */
export const listImage = (db: Database, caller: Caller, prefix: string) =>
  listPrefix(db, signedIn(caller), sql`${caller.userId}`, prefix);

export const listSiteImage = (db: Database, sessionHash: string, prefix: string) =>
  listPrefix(db, signedInToSite(sessionHash), siteUser(sessionHash), prefix);

/** An insert has no `where`, so the due time evaluates `checked`. */
async function listPrefix(db: Database, checked: SQL, owner: SQL, prefix: string): Promise<string> {
  const [listed] = await db.write((on) =>
    on
      .insert(objectGarbage)
      .values({
        prefix,
        bucket: "media",
        dueAt: sql`case when ${checked} then ${dueAfterStoring} end`,
      })
      .returning({ owner: sql<string>`(${owner})::text` }),
  );
  return listed?.owner ?? "";
}

/**
 * Lists the versions of closed pictures. `blocked`: removed ones, those of tracks and sets that were taken down, and all of users who
 * are suspended or have left; these may open again. `gone`: those that rows stopped showing in the last `goneForS` seconds, or ever.
 */
export async function closedPictures(db: Database, goneForS: number | undefined) {
  const closed = await db.read((on) => {
    const blocked = (version: SQL | AnyPgColumn) => ({
      version: sql<string | null>`${version}`,
      isGone: sql<boolean>`false`,
    });
    const ofTakenDown = on
      .select(blocked(tracks.artworkVersion))
      .from(takedowns)
      .innerJoin(tracks, eq(tracks.id, takedowns.trackId));
    const isOpen = isNull(removals.restoredAt);
    const removed = on.select(blocked(removals.pictureVersion)).from(removals).where(isOpen);
    const ofRemovedSets = on
      .select(blocked(playlists.artworkVersion))
      .from(removals)
      .innerJoin(playlists, eq(playlists.id, removals.playlistId))
      .where(and(isOpen, eq(removals.kind, sql`'playlist'`)));
    const gone = on
      .select({
        version: sql<string | null>`split_part(${objectGarbage.prefix}, '/', 2)`,
        isGone: sql<boolean>`true`,
      })
      .from(objectGarbage)
      .where(
        and(
          sql`${objectGarbage.closed}`,
          goneForS === undefined ? undefined : gte(objectGarbage.dueAt, inSeconds(-goneForS)),
        ),
      );
    const hasLeft = isNotNull(users.disabledAt);
    const avatars = on.select(blocked(users.avatarVersion)).from(users).where(hasLeft);
    const artworks = [tracks, playlists].map((of) =>
      on.select(blocked(of.artworkVersion)).from(users).innerJoin(of, eq(of.userId, users.id)).where(hasLeft),
    );
    const chaptersTakenDown = on
      .select(blocked(chapterPictures.version))
      .from(takedowns)
      .innerJoin(chapterPictures, eq(chapterPictures.trackId, takedowns.trackId));
    const chaptersOfLeavers = on
      .select(blocked(chapterPictures.version))
      .from(users)
      .innerJoin(tracks, eq(tracks.userId, users.id))
      .innerJoin(chapterPictures, eq(chapterPictures.trackId, tracks.id))
      .where(hasLeft);
    return unionAll(
      gone,
      ofTakenDown,
      removed,
      ofRemovedSets,
      avatars,
      ...artworks,
      chaptersTakenDown,
      chaptersOfLeavers,
    );
  });
  const versions = (isGone: boolean) =>
    closed.flatMap((row) => (row.isGone === isGone && row.version ? row.version : []));
  return { blocked: versions(false), gone: versions(true) };
}

/** Null restores the default avatar. */
export const changeSiteAvatar = (db: Database, sessionHash: string, version: string | null) =>
  db.write((on) =>
    on
      .update(users)
      .set({ avatarVersion: version, updatedAt: sql`now()` })
      .where(eq(users.id, siteUser(sessionHash))),
  );
