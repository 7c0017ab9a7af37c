import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import type { UsernameKeys } from "./accounts.ts";
import { type Caller, callAs } from "./caller.ts";

export const MiniUserRow = () =>
  z.strictObject({
    id: z.number(),
    permalink: z.string(),
    username: z.string(),
    avatar_version: z.string().nullable(),
    updated_at: z.string(),
  });
export type MiniUserRow = ReplyOf<typeof MiniUserRow>;

/** Fields of a user that everyone may see. */
export const UserRow = () =>
  MiniUserRow().extend({
    created_at: z.string(),
    country: z.string().nullable(),
    full_name: z.string().nullable(),
    city: z.string().nullable(),
    description: z.string().nullable(),
    discogs_name: z.string().nullable(),
    myspace_name: z.string().nullable(),
    website: z.string().nullable(),
    website_title: z.string().nullable(),
    online: z.boolean(),
    track_count: z.number(),
    playlist_count: z.number(),
    followers_count: z.number(),
    followings_count: z.number(),
    public_favorites_count: z.number(),
    reposts_count: z.number(),
    comments_count: z.number(),
  });
export type UserRow = ReplyOf<typeof UserRow>;

export const MeRow = () =>
  UserRow().extend({
    plan: z.string(),
    /** Seconds of all tracks, including private ones. */
    upload_seconds_used: z.number(),
    private_tracks_count: z.number(),
    private_playlists_count: z.number(),
    primary_email_confirmed: z.boolean(),
  });
export type MeRow = ReplyOf<typeof MeRow>;

/** `undefined` leaves a field unchanged, null empties it. */
export type MeChanges = Partial<
  Pick<MeRow, "username" | "description" | "website" | "website_title" | "avatar_version">
> &
  Partial<UsernameKeys>;

/** `expected` lists accepted values of `updated_at`; null accepts any. `user` is null if none matches. */
export const updateMe = (db: Database, caller: Caller, changes: MeChanges, expected: string[] | null) =>
  callAs(
    db,
    "update_me",
    () =>
      z.strictObject({
        user: MeRow().nullable(),
        username_taken: z.literal(true).optional(),
      }),
    caller,
    { changes, expected },
  );

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
