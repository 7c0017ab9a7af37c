import { and, eq, gt, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { spelledColumns } from "../row-shape.ts";
import { comments } from "../schema/comments.ts";
import { counterDeltas } from "../schema/counters.ts";
import { favorites } from "../schema/favorites.ts";
import { sessions } from "../schema/grants.ts";
import { users } from "../schema/people.ts";
import { playlistReposts } from "../schema/playlist-favorites.ts";
import { playlists } from "../schema/playlists.ts";
import { reposts } from "../schema/reposts.ts";
import { trackDocuments } from "../schema/search.ts";
import { trackShares } from "../schema/shares.ts";
import { tracks } from "../schema/tracks.ts";
import { StoredSelect } from "../stored-select.ts";
import { createdAt, moment } from "./caller.ts";
import { askedIds, counted, idOf, number, pendingOf } from "./show-parts.ts";

const owner = alias(users, "owner");

/** Columns that are shown as they are stored. The others depend on the reader, or nobody else sees them. */
const {
  id,
  updated_at,
  username_key,
  look_alike_key,
  plan,
  podcast_guid,
  private_playlists_count,
  quiet_comments_count,
  disabled_at,
  document,
  ...stored
} = spelledColumns(users);

/**
 * Shows users in the order of `ids`, without those who left. The reader counts as online, because this request is their latest
 * use. Each counter is the length of the list that the reader gets: what only they see counts for them, such as their own failed
 * tracks, others' favorites, reposts and comments on what they hide, and comments on what was shared with them. That is little
 * beside the rest.
 */
export const showUsers = new StoredSelect(
  "show_users",
  { ids: "bigint[]", session: "bigint", client: "text", user: "bigint" },
  (given, on) => {
    const asked = askedIds(on, given.ids);
    const pending = on.$with("pending").as(
      on
        .select({
          id: counterDeltas.subjectId,
          playlists: pendingOf("playlist_count"),
          followers: pendingOf("followers_count"),
          followings: pendingOf("followings_count"),
          favorites: pendingOf("public_favorites_count"),
          reposts: pendingOf("reposts_count"),
          comments: pendingOf("comments_count"),
          quiet: pendingOf("quiet_comments_count"),
        })
        .from(counterDeltas)
        .where(and(eq(counterDeltas.kind, "user"), sql`${counterDeltas.subjectId} = any (${given.ids})`))
        .groupBy(counterDeltas.subjectId),
    );
    const isReader = sql`${users.id} = ${given.user}`;
    const among = (column: PgColumn, ids: SQL) => sql`${column} = any (${ids})`;
    // Arrays are read once, and make PostgreSQL look for their few rows among a user's many.
    const unlisted = (sharing?: "public" | "private") =>
      sql`array${on
        .select({ id: trackDocuments.id })
        .from(trackDocuments)
        .where(
          and(
            eq(trackDocuments.userId, given.user),
            not(trackDocuments.listed),
            sharing && eq(trackDocuments.sharing, sharing),
          ),
        )}`;
    const ownSets = sql`array${on
      .select({ id: playlists.id })
      .from(playlists)
      .where(and(eq(playlists.userId, given.user), eq(playlists.sharing, "private")))}`;
    const quiet = sql`array${on
      .select({ id: tracks.id })
      .from(tracks)
      .where(and(eq(tracks.userId, given.user), not(tracks.revealComments), eq(tracks.sharing, "public")))}`;
    const shared = (revealing: SQL) =>
      sql`array${on
        .select({ id: tracks.id })
        .from(trackShares)
        .innerJoin(tracks, eq(tracks.id, trackShares.trackId))
        .innerJoin(owner, eq(owner.id, tracks.userId))
        .where(
          and(
            eq(trackShares.userId, given.user),
            ne(tracks.userId, given.user),
            eq(tracks.sharing, "private"),
            isNull(tracks.takenDownAt),
            isNull(owner.disabledAt),
            revealing,
          ),
        )}`;
    const listedTracks = on.$count(
      tracks,
      and(eq(tracks.userId, users.id), eq(tracks.sharing, "public"), ne(tracks.state, "failed")),
    );
    const favoritesOfUnlisted = on.$count(
      favorites,
      and(eq(favorites.userId, users.id), among(favorites.trackId, unlisted())),
    );
    const repostsOfUnlisted = on.$count(
      reposts,
      and(eq(reposts.userId, users.id), among(reposts.trackId, unlisted())),
    );
    const repostsOfOwnSets = on.$count(
      playlistReposts,
      and(eq(playlistReposts.userId, users.id), among(playlistReposts.playlistId, ownSets)),
    );
    // The reader sees all comments on their own closed tracks, others' comments on tracks that reveal none, and their
    // own on tracks shared with them.
    const commentsOnHidden = on.$count(
      comments,
      and(
        eq(comments.userId, users.id),
        among(
          comments.trackId,
          sql`${unlisted("private")} || ${shared(sql`${tracks.revealComments}`)}
            || case when ${isReader} then ${shared(not(tracks.revealComments))} else ${quiet} end`,
        ),
      ),
    );
    const ownFailed = sql`case when ${isReader} then cardinality(${unlisted("public")}) else 0 end`;
    const ownQuiet = sql`case when ${isReader} then ${users.quietCommentsCount} + coalesce(${pending.quiet}, 0) else 0 end`;
    const isActive = on
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.userId, users.id), gt(sessions.lastUsedAt, sql`now() - interval '5 minutes'`)));
    return on
      .with(asked, pending)
      .select({
        id: users.id,
        ...stored,
        created_at: createdAt(users.id),
        updated_at: moment<string>(users.updatedAt),
        track_count: number(sql`${listedTracks} + ${ownFailed}`),
        playlist_count: counted(users.playlistCount, pending.playlists),
        followers_count: counted(users.followersCount, pending.followers),
        followings_count: counted(users.followingsCount, pending.followings),
        public_favorites_count: counted(users.publicFavoritesCount, pending.favorites, favoritesOfUnlisted),
        reposts_count: counted(
          users.repostsCount,
          pending.reposts,
          sql`${repostsOfUnlisted} + ${repostsOfOwnSets}`,
        ),
        comments_count: counted(
          users.commentsCount,
          pending.comments,
          sql`${ownQuiet} + ${commentsOnHidden}`,
        ),
        online: sql<boolean>`(${isReader}) is true or exists ${isActive}`,
      })
      .from(asked)
      .fullJoin(pending, eq(pending.id, asked.id))
      .innerJoin(users, eq(users.id, idOf(asked, pending)))
      .where(
        and(sql`require_session(${given.session}, ${given.client}, ${given.user})`, isNull(users.disabledAt)),
      )
      .orderBy(asked.place);
  },
);

export type UserRow = ReturnType<typeof showUsers.made.toRows>[number];
