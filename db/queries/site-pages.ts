import * as z from "zod";
import type { Database } from "../client.ts";
import type { Told } from "../shape.ts";
import { MiniUserRow, UserRow } from "./people.ts";
import { PlaylistRow } from "./playlists.ts";
import type { Named } from "./resolve.ts";
import { EncodingRow, type Presented, presented, TrackRow } from "./tracks.ts";

/** A track as a list on a page shows it. */
export const SiteItem = () =>
  z.strictObject({
    id: z.number(),
    title: z.string(),
    permalink: z.string(),
    artist: z.string().nullable(),
    duration_ms: z.number().nullable(),
    state: TrackRow().shape.state,
    sharing: TrackRow().shape.sharing,
    access: TrackRow().shape.access,
    artwork_version: z.string().nullable(),
    user: MiniUserRow(),
  });
export type SiteItem = Told<typeof SiteItem>;

export const SiteComment = () =>
  z.strictObject({
    /** Milliseconds. */
    timestamp: z.number(),
    username: z.string(),
    /** HTML. */
    body: z.string(),
  });
export type SiteComment = Told<typeof SiteComment>;

/** What stands at an address of the site. Nothing where none of the three is there. */
export const SitePage = () =>
  z.strictObject({
    track: TrackRow().optional(),
    playlist: PlaylistRow().optional(),
    user: UserRow().optional(),
    /** Of a playlist, or of a user. */
    items: z.array(SiteItem()),
    /** That of the items which is to be played. */
    played: TrackRow().nullable(),
    /** Of a track, where its owner's browser asks. */
    encoding: EncodingRow().nullable().optional(),
    /** Timed ones on what is played, in the order of its time. */
    comments: z.array(SiteComment()),
  });
export type SitePage = Told<typeof SitePage>;

/**
 * As visitors see it. `at`: which of the items is to be played; left out, only what is at the address itself.
 * `siteSession`: the hash of the browser's, which shows a track's owner how the encode went.
 */
export const findPage = (
  db: Database,
  { kind, id, owner, permalink }: Partial<Named>,
  with_: Presented,
  at?: number,
  siteSession?: string,
): Promise<SitePage> =>
  db.call("find_page", SitePage, {
    kind: kind ?? null,
    id: id ?? null,
    owner: owner ?? null,
    permalink: permalink ?? null,
    ...presented(with_),
    shows: at !== undefined,
    at: at ?? 0,
    site_session: siteSession ?? null,
  });
