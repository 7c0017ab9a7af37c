import { eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database } from "../client.ts";
import { takedowns } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { objectGarbage } from "../schema/uploads.ts";
import { type Caller, signedIn, signedInToSite, siteUser } from "./caller.ts";

/**
 * Lists a prefix as garbage before its objects are stored, and returns the user's id. Saving a row that refers to
 * the prefix removes it from the list.
 */
export const listImage = (db: Database, caller: Caller, prefix: string) =>
  listPrefix(db, signedIn(caller), sql`${caller.userId}`, prefix);

export const listSiteImage = (db: Database, sessionHash: string, prefix: string) =>
  listPrefix(db, signedInToSite(sessionHash), siteUser(sessionHash), prefix);

/** An insert has no `where`, so the due time evaluates `checked`. It allows for the longest upload of a track. */
async function listPrefix(db: Database, checked: SQL, owner: SQL, prefix: string): Promise<string> {
  const [listed] = await db.write((on) =>
    on
      .insert(objectGarbage)
      .values({
        prefix,
        bucket: "media",
        dueAt: sql`case when ${checked} then now() + interval '48 hours' end`,
      })
      .returning({ owner: sql<string>`(${owner})::text` }),
  );
  return listed?.owner ?? "";
}

/**
 * Lists the versions of closed pictures: artwork of tracks that were taken down, and all pictures of users who are suspended
 * or have left. They open again with the track or the user. Those of a leaver, and artwork that the owner of such a track
 * replaced, stay on the list until caches have them no more, or one that was closed would open again.
 */
export async function closedPictures(db: Database): Promise<string[]> {
  const closed = await db.read((on) => {
    const ofTakenDown = on
      .select({ version: tracks.artworkVersion })
      .from(takedowns)
      .innerJoin(tracks, eq(tracks.id, takedowns.trackId));
    const replaced = on
      .select({ version: sql<string | null>`split_part(${objectGarbage.prefix}, '/', 2)` })
      .from(objectGarbage)
      .where(sql`${objectGarbage.closed}`);
    const hasLeft = isNotNull(users.disabledAt);
    const avatars = on.select({ version: users.avatarVersion }).from(users).where(hasLeft);
    const artworks = [tracks, playlists].map((of) =>
      on
        .select({ version: of.artworkVersion })
        .from(users)
        .innerJoin(of, eq(of.userId, users.id))
        .where(hasLeft),
    );
    return unionAll(ofTakenDown, replaced, avatars, ...artworks);
  });
  return closed.flatMap(({ version }) => version ?? []);
}

/** Null restores the default avatar. */
export const changeSiteAvatar = (db: Database, sessionHash: string, version: string | null) =>
  db.write((on) =>
    on
      .update(users)
      .set({ avatarVersion: version, updatedAt: sql`now()` })
      .where(eq(users.id, siteUser(sessionHash))),
  );
