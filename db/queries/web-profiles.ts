import { and, eq, isNull, type SQL } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { users } from "../schema/people.ts";
import { webProfiles } from "../schema/web-profiles.ts";
import type { ReplyOf } from "../shape.ts";
import { builder, selected } from "../stored-select.ts";
import { type Caller, createdAt, type SignedIn, sessionOf, signedIn } from "./caller.ts";
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
export const webProfilesOf = (caller: Caller, userId: number | SQL) =>
  selected(
    builder
      .select({ profile })
      .from(users)
      .leftJoin(webProfiles, eq(webProfiles.userId, users.id))
      .where(and(signedIn(caller), eq(users.id, userId), isNull(users.disabledAt)))
      .orderBy(webProfiles.place),
  );

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

/** Replaces the whole list. */
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
  const { read } = await db.callThenRead(
    "replace_web_profiles",
    () => z.literal(true),
    { ...sessionOf(caller), profiles: JSON.stringify(profiles) },
    [webProfilesOf(caller, userId)],
    "repeatable",
  );
  return { outcome: "done", profiles: toProfiles(read[0]) };
}
