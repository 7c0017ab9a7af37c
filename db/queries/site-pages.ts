import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { UserRow } from "./people.ts";
import { PlaylistRow } from "./playlists.ts";
import type { Named } from "./resolve.ts";
import { type AccessFacts, accessParameters, EncodingRow, TrackRow } from "./tracks.ts";

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
    /** Set for a track whose owner asks. */
    encoding: EncodingRow().nullable().optional(),
    /** Timed comments on the played track, by position. */
    comments: z.array(SiteComment()),
  });
export type SitePage = ReplyOf<typeof SitePage>;

/**
 * Finds a page as visitors see it. `at` selects the item to play; `undefined` omits the items. `siteSession` is the
 * hash of the browser's session, which shows owners their encode's state.
 */
export const findPage = (
  db: Database,
  { kind, id, owner, permalink }: Partial<Named>,
  facts: AccessFacts,
  at?: number,
  siteSession?: string,
): Promise<SitePage> =>
  db.call("find_page", SitePage, {
    kind: kind ?? null,
    id: id ?? null,
    owner: owner ?? null,
    permalink: permalink ?? null,
    ...accessParameters(facts),
    shows: at !== undefined,
    at: at ?? 0,
    site_session: siteSession ?? null,
  });
