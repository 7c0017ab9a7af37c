import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { users } from "../schema/people.ts";
import type { ReplyOf } from "../shape.ts";
import type { UsernameKeys } from "./accounts.ts";
import { type Caller, callAs, callAtLengthAs } from "./caller.ts";

export const MiniUserRow = () =>
  rowOf(users).pick({ id: true, permalink: true, username: true, avatar_version: true, updated_at: true });
export type MiniUserRow = ReplyOf<typeof MiniUserRow>;

/** Fields of a user that everyone may see. */
export const UserRow = () =>
  rowOf(users)
    .omit({
      ...{ username_key: true, look_alike_key: true, plan: true },
      ...{ private_playlists_count: true, quiet_comments_count: true, podcast_guid: true },
      ...{ disabled_at: true, document: true },
    })
    .extend({ created_at: z.string(), online: z.boolean(), track_count: z.number() });
export type UserRow = ReplyOf<typeof UserRow>;

/** Limits of a quota. */
export const LIMITS = ["seconds", "bytes", "tracks"] as const;
export type LimitName = (typeof LIMITS)[number];

const Limit = () => z.number().nullable();

/** Null is no limit. Uploads under way are used, too. */
export const QuotaRow = () =>
  z.strictObject({
    ...{ seconds: Limit(), bytes: Limit(), tracks: Limit() },
    ...{ seconds_used: z.number(), bytes_used: z.number(), tracks_used: z.number() },
  });

export const MeRow = () =>
  UserRow().extend({
    ...rowOf(users).pick({ plan: true, private_playlists_count: true }).shape,
    /** Seconds of all tracks, including private ones. */
    upload_seconds_used: z.number(),
    quota: QuotaRow(),
    private_tracks_count: z.number(),
    primary_email_confirmed: z.boolean(),
  });
export type MeRow = ReplyOf<typeof MeRow>;

/** `undefined` leaves a field unchanged, null empties it. */
type MeChanges = Partial<
  Pick<MeRow, "username" | "description" | "website" | "website_title" | "avatar_version">
> &
  Partial<UsernameKeys>;

const Changed = () =>
  z.strictObject({
    user: MeRow().nullable(),
    username_taken: z.literal(true).optional(),
  });

/** `expected` lists accepted values of `updated_at`; null accepts any. `user` is null if none matches. */
export function updateMe(db: Database, caller: Caller, changes: MeChanges, expected: string[] | null) {
  // A new name is written into the search of all the user's tracks.
  const call = changes.username === undefined ? callAs : callAtLengthAs;
  return call(db, "update_me", Changed, caller, { changes, expected });
}

/** Finds the caller's own profile. */
export const findMe = (db: Database, caller: Caller) =>
  callAs(
    db,
    "find_me",
    () =>
      z.strictObject({
        user: MeRow(),
      }),
    caller,
    {},
  );
