import { and, eq, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { users } from "../schema/people.ts";
import { webProfiles } from "../schema/web-profiles.ts";
import type { ReplyOf } from "../shape.ts";
import { builder, selected } from "../stored-select.ts";
import { type Caller, createdAt, type SignedIn, signedIn } from "./caller.ts";
import { existingUser } from "./users.ts";

export const WebProfileFields = () =>
  rowOf(webProfiles).pick({ service: true, title: true, url: true, username: true });
export type WebProfileFields = ReplyOf<typeof WebProfileFields>;

export const WebProfileRow = () =>
  WebProfileFields().extend({
    id: z.number(),
    created_at: z.string(),
  });
export type WebProfileRow = ReplyOf<typeof WebProfileRow>;

const profile = {
  id: webProfiles.id,
  created_at: createdAt(webProfiles.id),
  service: webProfiles.service,
  title: webProfiles.title,
  url: webProfiles.url,
  username: webProfiles.username,
};

/** Selects the profiles of a user who has not left. A left join keeps one without profiles. */
const profilesOf = (on: Reader, caller: Caller, userId: number | SQL) =>
  on
    .select({ profile })
    .from(users)
    .leftJoin(webProfiles, eq(webProfiles.userId, users.id))
    .where(and(signedIn(caller), eq(users.id, userId), isNull(users.disabledAt)))
    .orderBy(webProfiles.place);

export const webProfilesOf = (caller: Caller, userId: number | SQL) =>
  selected(profilesOf(builder, caller, userId));

export const toProfiles = (rows: { profile: WebProfileRow | null }[]) =>
  rows.flatMap((row) => row.profile ?? []);

/** `undefined` if the user does not exist. */
export async function listWebProfiles(
  db: Database,
  caller: Caller,
  userId: number,
): Promise<WebProfileRow[] | undefined> {
  const rows = await db.read(webProfilesOf(caller, userId));
  return rows.length ? toProfiles(rows) : undefined;
}

const REPLACED = {
  place: sql`excluded.place`,
  service: sql`excluded.service`,
  title: sql`excluded.title`,
  username: sql`excluded.username`,
};

/** Replaces the whole list. An address that stays keeps its id. */
export async function replaceWebProfiles(
  db: Database,
  caller: SignedIn,
  userId: number,
  profiles: WebProfileFields[],
): Promise<{ outcome: "done"; profiles: WebProfileRow[] } | { outcome: "not_yours" | "unknown" }> {
  if (userId !== caller.userId) {
    const [found] = await db.read(existingUser(caller, userId));
    return { outcome: found ? "not_yours" : "unknown" };
  }
  const rows = await db.writeAll((on) => {
    // Without the lock, two concurrent lists would both be stored.
    const lock = on
      .select({ held: sql`pg_advisory_xact_lock(hashtext('web_profiles'), hashint8(${userId}))` })
      .from(sql`(select) one`)
      .where(signedIn(caller));
    const urls = profiles.map(({ url }) => url);
    const removed = on
      .delete(webProfiles)
      .where(and(eq(webProfiles.userId, userId), notInArray(webProfiles.url, urls)));
    const shown = profilesOf(on, caller, userId);
    if (profiles.length === 0) return [lock, removed, shown];
    const written = on
      .insert(webProfiles)
      .values(profiles.map((each, at) => ({ ...each, userId, place: at + 1 })))
      .onConflictDoUpdate({ target: [webProfiles.userId, webProfiles.url], set: REPLACED });
    return [lock, removed, written, shown];
  }, "repeatable");
  return { outcome: "done", profiles: toProfiles(rows) };
}
