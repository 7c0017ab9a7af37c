import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import type { SignedIn } from "./caller.ts";
import { CommentRow } from "./comments.ts";
import { UserRow } from "./people.ts";
import { PlaylistRow } from "./playlists.ts";
import type { Named } from "./resolve.ts";
import { type AccessFacts, accessParameters, TrackRow } from "./track-rows.ts";
import { WebProfileRow } from "./web-profiles.ts";

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
  /** The item to play, counted from 0. Default: the first that can be played on other sites. */
  at?: number | undefined;
  /** Its id, which takes precedence over `at`. Nothing is played if it has left the list. */
  chosen?: number | undefined;
}

/** Finds a page as its reader sees it. A session that has ended reads as a visitor. */
export const findPage = (
  db: Database,
  { kind, id, owner, permalink }: Partial<Named>,
  facts: AccessFacts,
  { items, at, chosen }: Shown,
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
    chosen: chosen ?? null,
  });

/** The part of a list that a page shows. */
const partOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    items: z.array(item),
    /** The place after which the next part begins; null at the end. */
    next: z.number().nullable(),
  });

/** An item of a list: one of the three. */
export const ListItem = () =>
  z.strictObject({
    track: TrackRow().nullable(),
    playlist: PlaylistRow().nullable(),
    user: UserRow().nullable(),
    /** Whether the reader follows the user. */
    follows: z.boolean(),
  });
export type ListItem = ReplyOf<typeof ListItem>;

/** The surroundings of a page's subject. */
export const Around = () =>
  z.strictObject({
    /** Whether the reader follows the user or the owner. */
    follows: z.boolean(),
    likes: z.boolean(),
    reposts: z.boolean(),
    /** A track's, newest first. */
    comments: partOf(CommentRow()).nullable(),
    /** Tracks related to a track. */
    related: z.array(TrackRow()).nullable(),
    /** A tab of a user, or the tracks of a playlist. */
    list: partOf(ListItem()).nullable(),
    /** A user's. */
    web_profiles: z.array(WebProfileRow()).nullable(),
  });
export type Around = ReplyOf<typeof Around>;

export const TABS = ["tracks", "sets", "reposts", "likes", "followers", "following"] as const;
export type Tab = (typeof TABS)[number];

interface Part {
  /** Needed for a user's page. */
  tab?: Tab | undefined;
  /** The place after which the comments or the list continue. */
  after?: number | undefined;
}

/** Finds a page as its reader sees it, with what surrounds its subject if there is one. */
export const showPage = (
  db: Database,
  { kind, owner, permalink }: Named,
  facts: AccessFacts,
  { tab, after }: Part,
  reader?: SignedIn,
) =>
  db.call("show_page", () => z.strictObject({ page: SitePage(), around: Around().optional() }), {
    kind,
    owner: owner ?? null,
    permalink: permalink ?? null,
    ...accessParameters(facts),
    tab: tab ?? null,
    after: after ?? null,
    session: reader?.sessionId ?? null,
    user: reader?.userId ?? null,
  });
