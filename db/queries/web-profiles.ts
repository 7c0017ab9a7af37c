import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { users } from "../schema/people.ts";
import { webProfiles } from "../schema/web-profiles.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import { type Caller, createdAt, repeatAs, signedIn } from "./caller.ts";

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

const WebProfileList = () =>
  changeOf(z.enum(["not_yours", "unknown"]), { profiles: z.array(WebProfileRow()) });

/** `undefined` if the user does not exist. A left join keeps users without profiles. */
export async function listWebProfiles(
  db: Database,
  caller: Caller,
  userId: number,
): Promise<WebProfileRow[] | undefined> {
  const rows = await db.read((on) =>
    on
      .select({ profile })
      .from(users)
      .leftJoin(webProfiles, eq(webProfiles.userId, users.id))
      .where(and(signedIn(caller), eq(users.id, userId), isNull(users.disabledAt)))
      .orderBy(webProfiles.place),
  );
  return rows.length ? rows.flatMap((row) => row.profile ?? []) : undefined;
}

/** Replaces the whole list. */
export const replaceWebProfiles = (
  db: Database,
  caller: Caller,
  userId: number,
  profiles: WebProfileFields[],
) =>
  repeatAs(db, "replace_web_profiles", WebProfileList, caller, {
    id: userId,
    profiles: JSON.stringify(profiles),
  });
