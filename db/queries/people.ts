import type { Database } from "../client.ts";
import type { UsernameKeys } from "./accounts.ts";
import { type Caller, callAs } from "./caller.ts";

export interface MiniUserRow {
  id: number;
  permalink: string;
  username: string;
  avatar_version: string | null;
  updated_at: string;
}

/** What everybody may see of a user. */
export interface UserRow extends MiniUserRow {
  created_at: string;
  country: string | null;
  full_name: string | null;
  city: string | null;
  description: string | null;
  discogs_name: string | null;
  myspace_name: string | null;
  website: string | null;
  website_title: string | null;
  online: boolean;
  track_count: number;
  playlist_count: number;
  followers_count: number;
  followings_count: number;
  public_favorites_count: number;
  reposts_count: number;
  comments_count: number;
}

export interface MeRow extends UserRow {
  plan: string;
  /** Of all tracks, private ones included. */
  upload_seconds_used: number;
  private_tracks_count: number;
  private_playlists_count: number;
  primary_email_confirmed: boolean;
}

/** What is `undefined` stays, null empties. */
export type MeChanges = Partial<
  Pick<MeRow, "username" | "description" | "website" | "website_title" | "avatar_version">
> &
  Partial<UsernameKeys>;

/** `expected` is what `updated_at` has to be, one of these; null where anything. No user where it is something else. */
export const updateMe = (db: Database, caller: Caller, changes: MeChanges, expected: string[] | null) =>
  callAs<{ user: MeRow | null; username_taken?: true }>(
    db,
    "update_me",
    caller,
    JSON.stringify(changes),
    expected && `{${expected}}`,
  );

/** The caller's own profile. */
export const findMe = (db: Database, caller: Caller) => callAs<{ user: MeRow }>(db, "find_me", caller);
