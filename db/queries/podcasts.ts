import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { episodes, podcasts } from "../schema/podcasts.ts";
import { tracks } from "../schema/tracks.ts";
import type { ReplyOf } from "../shape.ts";
import { callAs, type SignedIn } from "./caller.ts";
import { PlayableMedia } from "./media.ts";
import { MiniUserRow } from "./people.ts";
import { type AccessFacts, accessParameters } from "./track-rows.ts";

export const PodcastRow = () => rowOf(podcasts).omit({ playlist_id: true, updated_at: true });
export type PodcastRow = ReplyOf<typeof PodcastRow>;

export const EpisodeRow = () => rowOf(episodes).omit({ track_id: true, updated_at: true });
export type EpisodeRow = ReplyOf<typeof EpisodeRow>;

const FeedItem = () =>
  rowOf(tracks)
    .pick({ id: true, title: true, permalink: true, description: true, artwork_version: true })
    .extend({
      /** The owner's permalink. A set may hold tracks of several. */
      owner: z.string(),
      artist: z.string(),
      private: z.boolean(),
      duration_ms: z.number(),
      published_at: z.string(),
      /** Length of the MP3. */
      bytes: z.number(),
      episode: EpisodeRow().nullable(),
    });
export type FeedItem = ReplyOf<typeof FeedItem>;

const FeedChannel = () =>
  z.strictObject({
    title: z.string(),
    /** Null for a user's feed, like `podcast`, which is also null for sets that are no podcast. */
    permalink: z.string().nullable(),
    /** HTML of a set; plain text of a user. */
    description: z.string().nullable(),
    private: z.boolean(),
    artwork_version: z.string().nullable(),
    /** The one that the feed was given; null until it was first read. */
    guid: z.string().nullable(),
    user: MiniUserRow().omit({ updated_at: true }),
    podcast: PodcastRow().nullable(),
  });

const Feed = () =>
  z.strictObject({
    /** Names the content. */
    tag: z.string(),
    modified_at: z.string(),
    /** Null if the client holds it. */
    content: z.strictObject({ channel: FeedChannel(), items: z.array(FeedItem()) }).nullable(),
  });
type Feed = ReplyOf<typeof Feed>;
export type FeedContent = NonNullable<Feed["content"]>;

/** A feed's user, or a user's set. */
export interface FeedName {
  owner: string;
  set: string | undefined;
}

/** `held` lists tags of the client's copies. `undefined` if visitors see nothing there. */
export async function findFeed(
  db: Database,
  { owner, set }: FeedName,
  facts: AccessFacts,
  held: string[],
): Promise<Feed | undefined> {
  const feed = await db.call("find_feed", () => Feed().nullable(), {
    kind: set === undefined ? "user" : "playlist",
    owner: set === undefined ? null : owner,
    permalink: set ?? owner,
    ...accessParameters(facts),
    held,
  });
  return feed ?? undefined;
}

/** Stores the GUID of a feed that has none. */
export const giveFeedGuid = (db: Database, userId: number, set: string | null, guid: string) =>
  db.write((on) =>
    set === null
      ? on
          .update(users)
          .set({ podcastGuid: guid })
          .where(and(eq(users.id, userId), isNull(users.podcastGuid)))
      : on
          .update(playlists)
          .set({ podcastGuid: guid })
          .where(
            and(eq(playlists.userId, userId), eq(playlists.permalink, set), isNull(playlists.podcastGuid)),
          ),
  );

const Enclosure = () =>
  PlayableMedia().extend({ track: z.number(), private: z.boolean(), secret_prefix: z.string() });
type Enclosure = ReplyOf<typeof Enclosure>;

/** `undefined` unless the track at this address can be played by a visitor. */
export async function findEnclosure(
  db: Database,
  owner: string,
  permalink: string,
  facts: AccessFacts,
): Promise<Enclosure | undefined> {
  const given = { owner, permalink, ...accessParameters(facts) };
  return (await db.call("find_enclosure", () => Enclosure().nullable(), given)) ?? undefined;
}

const OwnPodcast = () =>
  z.strictObject({
    id: z.number(),
    title: z.string(),
    username: z.string(),
    private: z.boolean(),
    /** Base64. */
    secret_sealed: z.string(),
    has_artwork: z.boolean(),
    podcast: PodcastRow().nullable(),
  });
export type OwnPodcast = ReplyOf<typeof OwnPodcast>;

/** A user's own set or track, by its address. */
export interface OwnName {
  owner: string;
  permalink: string;
}

/** Null unless the set is the caller's own. */
export const findPodcast = (db: Database, caller: SignedIn, name: OwnName) =>
  callAs(db, "find_podcast", () => OwnPodcast().nullable(), caller, { ...name });

/**
 * `null` ends the podcast; the set and its feed stay. Of a podcast, the fields that `unchanged` names stay as they are. Returns
 * false unless the set is the caller's own.
 */
export const savePodcast = (
  db: Database,
  caller: SignedIn,
  name: OwnName,
  podcast: PodcastRow | null,
  unchanged: string[],
) => callAs(db, "save_podcast", z.boolean, caller, { ...name, podcast, unchanged });

const OwnEpisode = () =>
  z.strictObject({ id: z.number(), title: z.string(), episode: EpisodeRow().nullable() });
export type OwnEpisode = ReplyOf<typeof OwnEpisode>;

/** Null unless the track is the caller's own. */
export const findEpisode = (db: Database, caller: SignedIn, name: OwnName) =>
  callAs(db, "find_episode", () => OwnEpisode().nullable(), caller, { ...name });

/** Omitted fields stay unchanged. Returns false unless the track is the caller's own. */
export const saveEpisode = (db: Database, caller: SignedIn, name: OwnName, episode: Partial<EpisodeRow>) =>
  callAs(db, "save_episode", z.boolean, caller, { ...name, episode });
