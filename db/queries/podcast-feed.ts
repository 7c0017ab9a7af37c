import { hash } from "node:crypto";
import { and, desc, eq, isNull, lte, min, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { toParameter } from "../call.ts";
import type { Database } from "../client.ts";
import { supersededTracks } from "../schema/former-addresses.ts";
import { users } from "../schema/people.ts";
import { playlists, playlistTracks } from "../schema/playlists.ts";
import { chapters, episodes, podcasts, transcripts } from "../schema/podcasts.ts";
import { tracks } from "../schema/tracks.ts";
import { selected } from "../stored-select.ts";
import { createdAt, firstRow, moment } from "./caller.ts";
import { linkedId } from "./links.ts";
import type { Media } from "./media.ts";
import { episodeColumns, podcastColumns } from "./podcasts.ts";
import type { AccessFacts, ArtistRow } from "./track-rows.ts";
import { type Opening, trackAccess } from "./visibility.ts";

/** A feed's user, or a user's set. */
export interface FeedName {
  owner: string;
  set: string | undefined;
}

/** Podcast programs read without a session, as visitors do. */
const openingOf = ({ secretHash, country }: AccessFacts): Opening => ({
  user: sql`null::bigint`,
  secret_hash: sql`${toParameter(secretHash ?? null)}::bytea`,
  country: sql`${country ?? null}::text`,
});

const isPlayable = (opening: Opening) =>
  and(eq(tracks.state, "finished"), eq(trackAccess(opening), "playable"));

/** The feed's user. A set may hold tracks of others. */
const owner = alias(users, "feed_owner");

const isPrivate = (of: typeof tracks | typeof playlists) => sql<boolean>`(${of.sharing} = 'private')`;

/** Tracks of a user's feed, and the bytes of their texts. */
const MOST_ITEMS = 300;
const MOST_BYTES = 1_000_000;

/**
 * Bytes of texts in a set's feed. It has all tracks of the set, because directories read no second page and drop what is
 * missing. The notes of older tracks are shortened.
 */
const MOST_SET_BYTES = 2_000_000;

/** Characters of shortened notes. */
const SHORT_NOTES = 300;

/** Tracks to choose, with the bytes that they and newer ones take. */
const choice = {
  id: tracks.id,
  bytes: sql<number>`sum(octet_length(coalesce(${tracks.description}, '')) + 1000)
    over (order by ${tracks.publishedId} desc rows unbounded preceding)`.as("bytes"),
};

const wasPublic = or(eq(tracks.sharing, "public"), tracks.wasPublic);

const changedAt = sql`greatest(${tracks.updatedAt}, ${episodes.updatedAt})`;

/** Chooses a user's tracks for the feed, and finds their last change. */
function tracksOfUser(on: Database["drizzle"], isOwner: ReturnType<typeof eq>, opening: Opening) {
  const isOwners = eq(tracks.userId, on.select({ id: owner.id }).from(owner).where(isOwner));
  const newest = on
    .select({ at: changedAt.as("at"), wasListed: sql`${wasPublic}`.as("was_listed") })
    .from(tracks)
    .leftJoin(episodes, eq(episodes.trackId, tracks.id))
    .where(isOwners)
    .orderBy(desc(tracks.publishedId))
    .limit(MOST_ITEMS)
    .as("newest");
  return {
    chosen: on
      .select(choice)
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(and(isOwners, eq(tracks.sharing, "public"), isPlayable(opening)))
      .orderBy(desc(tracks.publishedId))
      .limit(MOST_ITEMS)
      .as("chosen"),
    changed: on
      .select({ at: sql`max(${newest.at})` })
      .from(newest)
      .where(sql`${newest.wasListed}`),
  };
}

/** Chooses a set's tracks for the feed, and finds their last change. */
function tracksOfSet(on: Database["drizzle"], isSet: ReturnType<typeof and>, opening: Opening) {
  // The set's secret opens its owner's private tracks.
  const isOpened = and(eq(playlists.secretHash, opening.secret_hash), eq(tracks.userId, playlists.userId));
  return {
    chosen: on
      .select(choice)
      .from(playlists)
      .innerJoin(owner, eq(owner.id, playlists.userId))
      .innerJoin(playlistTracks, eq(playlistTracks.playlistId, playlists.id))
      .innerJoin(tracks, eq(tracks.id, playlistTracks.trackId))
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(and(isSet, or(eq(tracks.sharing, "public"), isOpened), isPlayable(opening)))
      .as("chosen"),
    changed: on
      .select({ at: sql`max(${changedAt})` })
      .from(playlistTracks)
      .innerJoin(tracks, eq(tracks.id, playlistTracks.trackId))
      .leftJoin(episodes, eq(episodes.trackId, tracks.id))
      .where(and(eq(playlistTracks.playlistId, playlists.id), or(wasPublic, isOpened))),
  };
}

function statementsOf(on: Database["drizzle"], name: FeedName, facts: AccessFacts) {
  const opening = openingOf(facts);
  const isOwner = eq(owner.id, linkedId({ kind: "user", permalink: name.owner }));
  const ofUser = name.set === undefined;
  const isSet = and(
    eq(playlists.id, linkedId({ kind: "playlist", owner: name.owner, permalink: name.set })),
    or(eq(playlists.sharing, "public"), eq(playlists.secretHash, opening.secret_hash)),
  );
  // Changes of hidden tracks count if they may have been listed before.
  const { chosen, changed } = ofUser ? tracksOfUser(on, isOwner, opening) : tracksOfSet(on, isSet, opening);
  const subject = ofUser ? owner : playlists;
  const channel = on
    .select({
      title: sql<string>`${ofUser ? owner.username : playlists.title}`,
      /** Null for a user's feed, like `podcast`, which is also null for sets that are no podcast. */
      permalink: playlists.permalink,
      /** HTML of a set; plain text of a user. */
      description: sql<string | null>`${subject.description}`,
      private: sql<boolean>`coalesce(${isPrivate(playlists)}, false)`,
      artwork_version: playlists.artworkVersion,
      artwork_colors: playlists.artworkColors,
      /** The stored GUID. Null until the feed was first read. */
      guid: sql<string | null>`${subject.podcastGuid}`,
      user: {
        id: owner.id,
        permalink: owner.permalink,
        username: owner.username,
        avatar_version: owner.avatarVersion,
      },
      /** Null for a user's feed. */
      set_id: playlists.id,
      podcast: podcastColumns,
      modified_at: moment<string>(
        sql`greatest(${owner.updatedAt}, ${playlists.updatedAt}, ${podcasts.updatedAt}, ${changed})`,
      ),
    })
    .from(owner)
    .leftJoin(playlists, ofUser ? sql`false` : eq(playlists.userId, owner.id))
    .leftJoin(podcasts, eq(podcasts.playlistId, playlists.id))
    .where(and(ofUser ? isOwner : isSet, isNull(owner.disabledAt)));
  const isCut = sql<boolean>`(${chosen.bytes} > ${MOST_SET_BYTES}
    and length(${tracks.description}) > ${SHORT_NOTES}) is true`;
  const items = on
    .select({
      id: tracks.id,
      /** The track whose place it took, the oldest if there were several. Its episode goes on. */
      superseded_id: sql<number | null>`(${on
        .select({ id: min(supersededTracks.id) })
        .from(supersededTracks)
        .where(eq(supersededTracks.trackId, tracks.id))})::float8`,
      title: tracks.title,
      permalink: tracks.permalink,
      /** The owner's permalink. A set may hold tracks of several. */
      owner: users.permalink,
      artist: sql<string>`coalesce(${tracks.artist}, ${users.username})`,
      artists: sql<ArtistRow[] | null>`case when ${tracks.artists} is not null
        then shown_artists(${tracks.id}, ${tracks.userId}, ${tracks.artists}, null) end`,
      /** The beginning of its HTML if `is_cut`, perhaps cut within a tag. */
      description: sql<string | null>`case when ${isCut} then left(${tracks.description}, ${SHORT_NOTES})
        else ${tracks.description} end`,
      is_cut: isCut,
      private: isPrivate(tracks),
      artwork_version: tracks.artworkVersion,
      artwork_colors: tracks.artworkColors,
      /** Address of the drawn cover. */
      state: tracks.state,
      sharing: tracks.sharing,
      media_prefix: tracks.mediaPrefix,
      secret_hash: sql<string>`encode(${tracks.secretHash}, 'hex')`,
      duration_ms: sql<number>`${tracks.durationMs}::float8`,
      published_at: createdAt(tracks.publishedId),
      /** Length of the MP3. */
      bytes: sql<number>`(${tracks.media} #>> '{renditions,mp3_128,bytes}')::float8`,
      episode: episodeColumns,
      /** Null without a transcript of ours; its language may be unsaid. */
      transcript: { track_id: transcripts.trackId, language: transcripts.language },
      has_chapters: sql<boolean>`${chapters.trackId} is not null`,
    })
    .from(chosen)
    .innerJoin(tracks, eq(tracks.id, chosen.id))
    .innerJoin(users, eq(users.id, tracks.userId))
    .leftJoin(episodes, eq(episodes.trackId, tracks.id))
    .leftJoin(transcripts, eq(transcripts.trackId, tracks.id))
    .leftJoin(chapters, eq(chapters.trackId, tracks.id))
    .where(ofUser ? lte(chosen.bytes, MOST_BYTES) : undefined)
    .orderBy(desc(tracks.publishedId));
  return { channel, items };
}

/**
 * Returns a user's or a set's tracks as their podcast feed shows them. It holds no counters, so that it changes only with its
 * content, which `tag` names. `held` lists tags of the client's copies: their content is null. `undefined` if visitors see
 * nothing there.
 */
export async function findFeed(db: Database, name: FeedName, facts: AccessFacts, held: string[]) {
  const statements = statementsOf(db.drizzle, name, facts);
  const [[found], items] = await db.readAll([selected(statements.channel), selected(statements.items)]);
  if (!found) return undefined;
  const { modified_at, ...channel } = found;
  // Stores the GUID after the first reply, which already shows it.
  const tag = hash("sha256", JSON.stringify([{ ...channel, guid: null }, items])).slice(0, 32);
  return { tag, modified_at, content: held.includes(tag) ? null : { channel, items } };
}

/** Finds the set behind the two parts of a present or former address, whoever may see it. Null if there is none. */
export const findSetId = (db: Database, { owner: user, set }: { owner: string; set: string }) =>
  db
    .read<{ id: number | null }>(
      sql`select ${linkedId({ kind: "playlist", owner: user, permalink: set })}::float8 as id`,
    )
    .then(([found]) => found?.id ?? null);

type Feed = NonNullable<Awaited<ReturnType<typeof findFeed>>>;
export type FeedContent = NonNullable<Feed["content"]>;
export type FeedItem = FeedContent["items"][number];

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

/** Finds the media behind a track's lasting address. `undefined` unless a visitor may play it whole. */
export const findEnclosure = (db: Database, ofUser: string, permalink: string, facts: AccessFacts) =>
  db
    .read((on) =>
      on
        .select({
          track: tracks.id,
          owner: users.permalink,
          permalink: tracks.permalink,
          private: isPrivate(tracks),
          secret_prefix: sql<string>`left(encode(${tracks.secretHash}, 'hex'), 16)`,
          media_prefix: sql<string>`${tracks.mediaPrefix}`,
          media: sql<Media>`${tracks.media}`,
          for_all: sql<boolean>`${tracks.sharing} = 'public' and ${tracks.streamable}
            and ${tracks.availableCountryCodes} is null and ${tracks.paywall} is null`,
        })
        .from(tracks)
        .innerJoin(users, eq(users.id, tracks.userId))
        .where(
          and(
            eq(tracks.id, linkedId({ kind: "track", owner: ofUser, permalink })),
            isPlayable(openingOf(facts)),
          ),
        ),
    )
    .then(firstRow);
