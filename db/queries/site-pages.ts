import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import type { SignedIn } from "./caller.ts";
import { UserRow } from "./people.ts";
import { PlaylistRow } from "./playlists.ts";
import type { Named } from "./resolve.ts";
import { type AccessFacts, accessParameters, TrackRow } from "./tracks.ts";

/** A track as lists on pages show it. */
export const SiteItem = () =>
  TrackRow().pick({
    ...{ id: true, title: true, permalink: true, artist: true, duration_ms: true },
    ...{ state: true, sharing: true, access: true, artwork_version: true, user: true },
  });
export type SiteItem = ReplyOf<typeof SiteItem>;

export const SiteComment = () =>
  z.strictObject({
    /** Milliseconds. */
    timestamp: z.number(),
    username: z.string(),
    /** HTML. */
    body: z.string(),
  });
export type SiteComment = ReplyOf<typeof SiteComment>;

/** The resource at an address of the site. `track`, `playlist` and `user` are omitted if nothing is there. */
export const SitePage = () =>
  z.strictObject({
    track: TrackRow().optional(),
    playlist: PlaylistRow().optional(),
    user: UserRow().optional(),
    /** Tracks of a playlist or user. */
    items: z.array(SiteItem()),
    /** The item to play. */
    played: TrackRow().nullable(),
    /** Whether the reader's session lives. */
    is_signed_in: z.boolean(),
    /** Timed comments on the played track, by position. */
    comments: z.array(SiteComment()),
  });
export type SitePage = ReplyOf<typeof SitePage>;

interface Shown {
  /** Include a playlist's tracks or a user's newest, and comments. */
  items: boolean;
  /** The item to play, counted from 0. Default: the first that can be played. */
  at?: number | undefined;
}

/** Finds a page as its reader sees it. A session that has ended reads as a visitor. */
export const findPage = (
  db: Database,
  { kind, id, owner, permalink }: Partial<Named>,
  facts: AccessFacts,
  { items, at }: Shown,
  reader?: SignedIn,
): Promise<SitePage> =>
  db.call("find_page", SitePage, {
    kind: kind ?? null,
    id: id ?? null,
    owner: owner ?? null,
    permalink: permalink ?? null,
    ...accessParameters(facts),
    shows: items,
    at: at ?? null,
    session: reader?.sessionId ?? null,
    user: reader?.userId ?? null,
  });
