import { and, eq, not, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { counterDeltas } from "../schema/counters.ts";
import { accounts, users } from "../schema/people.ts";
import { trackDocuments } from "../schema/search.ts";
import type { ReplyOf } from "../shape.ts";
import { builder, type Reading, selected } from "../stored-select.ts";
import type { UsernameKeys } from "./accounts.ts";
import { callersId, type SignedIn, sessionOf } from "./caller.ts";
import { number } from "./show-parts.ts";
import { showUsers, type UserRow } from "./show-users.ts";

export const MiniUserRow = () =>
  rowOf(users).pick({ id: true, permalink: true, username: true, avatar_version: true, updated_at: true });
export type MiniUserRow = ReplyOf<typeof MiniUserRow>;

/** Limits of a quota. */
export const LIMITS = ["seconds", "bytes", "tracks"] as const;
export type LimitName = (typeof LIMITS)[number];

/** Null is no limit. Uploads under way are used, too. */
export type QuotaRow = Record<LimitName, number | null> & Record<`${LimitName}_used`, number>;

/** Finds the caller's own profile. */
export const findMe = (db: Database, caller: SignedIn): Promise<MeRow | undefined> =>
  db.readAll(readMe(caller)).then(toMe);

/**
 * Columns beyond those of `showUsers`. Private tracks are counted among the unlisted documents, of which a user has
 * few.
 */
const selectOwn = ({ userId }: SignedIn) =>
  builder
    .select({
      plan: users.plan,
      quota: sql<QuotaRow>`quota_of(${users.id})`,
      private_tracks_count: builder.$count(
        trackDocuments,
        and(
          eq(trackDocuments.userId, userId),
          not(trackDocuments.listed),
          eq(trackDocuments.sharing, "private"),
        ),
      ),
      private_playlists_count: number(sql`${users.privatePlaylistsCount} + coalesce(${pending}, 0)`),
      primary_email_confirmed: sql<boolean>`${accounts.confirmedAt} is not null`,
    })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(eq(users.id, userId));

const pending = builder
  .select({ sum: sql`sum(${counterDeltas.delta})` })
  .from(counterDeltas)
  .where(
    and(
      eq(counterDeltas.subjectId, users.id),
      eq(counterDeltas.kind, "user"),
      eq(counterDeltas.counter, "private_playlists_count"),
    ),
  );

/** The caller's own profile: the columns of lists, and the rest. */
const readMe = (caller: SignedIn): [Reading<UserRow>, Reading<Own>] => [
  showUsers.with({ ids: [caller.userId], ...sessionOf(caller) }),
  selected(selectOwn(caller)),
];

const toMe = ([[user], [own]]: [UserRow[], Own[]]) => user && own && { ...user, ...own };

type Own = Awaited<ReturnType<typeof selectOwn>>[number];
export type MeRow = UserRow & Own;

/** `undefined` leaves a field unchanged, null empties it. */
type MeChanges = Partial<
  Pick<MeRow, "username" | "description" | "website" | "website_title" | "avatar_version">
> &
  Partial<UsernameKeys>;

export const ChangeOfProfile = () =>
  z.enum(["done", "unexpected", "username_taken", "permalink_taken", "permalink_changed_often"]);

export type ChangeOfProfile = ReplyOf<typeof ChangeOfProfile>;

/** `expected` lists accepted values of `updated_at`; null accepts any. */
export async function updateMe(
  db: Database,
  caller: SignedIn,
  changes: MeChanges,
  expected: string[] | null,
): Promise<{ outcome: "done"; user: MeRow } | { outcome: Exclude<ChangeOfProfile, "done"> }> {
  const given = { user: callersId(caller), changes, expected };
  // A new name is written into the search of all the user's tracks.
  const { reply, read } =
    changes.username === undefined
      ? await db.callThenRead("change_profile", ChangeOfProfile, given, readMe(caller))
      : {
          reply: await db.callAtLength("change_profile", ChangeOfProfile, given),
          read: await db.readAll(readMe(caller)),
        };
  const user = toMe(read);
  if (reply !== "done") return { outcome: reply };
  return user ? { outcome: reply, user } : { outcome: "unexpected" };
}
