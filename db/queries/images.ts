import { eq, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { objectGarbage } from "../schema/uploads.ts";
import { type Caller, signedIn, signedInToSite, siteUser } from "./caller.ts";

/** Lists a prefix as garbage before its objects are stored, and returns the user's id. Rows that show it remove it again. */
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

/** Versions of pictures that an operator's act has closed. */
export const closedPictures = (db: Database): Promise<string[]> =>
  db.call("closed_pictures", () => z.array(z.string()), {});

/** Null restores the default avatar. */
export const changeSiteAvatar = (db: Database, sessionHash: string, version: string | null) =>
  db.write((on) =>
    on
      .update(users)
      .set({ avatarVersion: version, updatedAt: sql`now()` })
      .where(eq(users.id, siteUser(sessionHash))),
  );
