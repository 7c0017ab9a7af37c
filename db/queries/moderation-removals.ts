import { and, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { comments } from "../schema/comments.ts";
import { reports } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { counterNotices, removals } from "../schema/removals.ts";
import { tracks } from "../schema/tracks.ts";
import { changeOf } from "../shape.ts";
import { type By, below, mayRead, type Operator, type Page } from "./acts.ts";
import { createdAt, firstRow, moment } from "./caller.ts";

/** Comments, sets and pictures, as operators see, remove and restore them. */

/** A counter-notice, with its text. */
export interface NoticeRow {
  created_at: string;
  statement: string;
  name: string;
  contact: string;
  decision: "restored" | "upheld" | null;
  decision_reason: string | null;
  decided_at: string | null;
}

/** Counter-notices to a case, the newest first. */
export const noticesOf = sql<
  NoticeRow[]
>`(select coalesce(json_agg(json_build_object('created_at', id_created_at(n.id),
  'statement', n.statement, 'name', n.name, 'contact', n.contact, 'decision', n.decision, 'decision_reason', n.decision_reason,
  'decided_at', n.decided_at) order by n.id desc), '[]') from ${counterNotices} n where n.removal_id = ${removals}.id)`;

const hasOpenNotice = sql<boolean>`exists (select from ${counterNotices} n where n.removal_id = ${removals}.id and n.decided_at is null)`;

/** Columns of a case that its owner may see, too. */
export const shownCase = {
  id: removals.id,
  kind: removals.kind,
  name: removals.name,
  reason: removals.reason,
  created_at: moment<string>(removals.createdAt),
  restored_at: moment<string | null>(removals.restoredAt),
  /** Whether an answer of the owner waits. */
  answered: hasOpenNotice,
};

const listedCase = {
  ...shownCase,
  user_id: removals.userId,
  user: users.permalink,
  track_id: removals.trackId,
  playlist_id: removals.playlistId,
  comment_id: removals.commentId,
};

const cases = (on: Reader) =>
  on.select(listedCase).from(removals).innerJoin(users, eq(users.id, removals.userId));

export type RemovalRow = Awaited<ReturnType<typeof cases>>[number];

export const REMOVAL_STATES = ["answered", "removed", "restored"] as const;
type RemovalState = (typeof REMOVAL_STATES)[number];

const isInState: Record<RemovalState, SQL | undefined> = {
  answered: and(isNull(removals.restoredAt), hasOpenNotice),
  removed: isNull(removals.restoredAt),
  restored: isNotNull(removals.restoredAt),
};

/** Lists cases, newest first. */
export const listRemovals = (
  db: Database,
  operator: Operator,
  state: RemovalState,
  { before, limit }: Page,
) =>
  db.read((on) =>
    cases(on)
      .where(and(mayRead(operator), below(removals.id, before), isInState[state]))
      .orderBy(desc(removals.id))
      .limit(limit),
  );

/** Those who reported the subject of a case. */
interface ReporterRow {
  created_at: string;
  reason: string;
  details: string;
  email: string | null;
}

const isReportOfCase = sql`r.target_id = case r.target_kind when 'track' then ${removals.trackId}
  when 'playlist' then ${removals.playlistId} when 'comment' then ${removals.commentId} end and r.target_kind = ${removals.kind}`;

/** A case with its counter-notices and reports. */
export const showRemoval = (db: Database, operator: Operator, id: number) =>
  db
    .read((on) =>
      on
        .select({
          ...listedCase,
          /** The text of a comment that is removed. */
          body: sql<string | null>`${removals.comment} ->> 'body'`,
          notices: noticesOf,
          reports: sql<
            ReporterRow[]
          >`(select coalesce(json_agg(json_build_object('created_at', id_created_at(r.id),
            'reason', r.reason, 'details', r.details, 'email', r.email) order by r.id desc), '[]')
            from ${reports} r where ${isReportOfCase})`,
        })
        .from(removals)
        .innerJoin(users, eq(users.id, removals.userId))
        .where(and(mayRead(operator), eq(removals.id, id))),
    )
    .then(firstRow);

export type ShownRemoval = NonNullable<Awaited<ReturnType<typeof showRemoval>>>;

/** The newest case that is not restored. Null if there is none. */
const openCase = (where: SQL | undefined) =>
  sql<
    number | null
  >`(select max(${removals.id}) from ${removals} where ${removals.restoredAt} is null and ${where})`.mapWith(
    Number,
  );

/** A comment. `undefined` if it is not there, or was removed. */
export const showModeratedComment = (db: Database, operator: Operator, id: number) =>
  db
    .read((on) =>
      on
        .select({
          id: comments.id,
          body: comments.body,
          created_at: createdAt(comments.id),
          user_id: users.id,
          user: users.permalink,
          track_id: tracks.id,
          track: tracks.title,
          open_reports: openReports(on, "comment", comments.id),
        })
        .from(comments)
        .innerJoin(users, eq(users.id, comments.userId))
        .innerJoin(tracks, eq(tracks.id, comments.trackId))
        .where(and(mayRead(operator), eq(comments.id, id))),
    )
    .then(firstRow);

export type ModeratedComment = NonNullable<Awaited<ReturnType<typeof showModeratedComment>>>;

const openReports = (
  on: Reader,
  kind: "comment" | "playlist",
  id: typeof comments.id | typeof playlists.id,
) =>
  on.$count(reports, and(eq(reports.targetKind, kind), eq(reports.targetId, id), eq(reports.state, "open")));

/** A set in whatever state, with the case that keeps it down. */
export const showModeratedSet = (db: Database, operator: Operator, id: SQL | number) =>
  db
    .read((on) =>
      on
        .select({
          id: playlists.id,
          title: playlists.title,
          permalink: playlists.permalink,
          sharing: playlists.sharing,
          artwork_version: playlists.artworkVersion,
          created_at: createdAt(playlists.id),
          user_id: users.id,
          user: users.permalink,
          tracks: sql`(select count(*) from playlist_tracks e where e.playlist_id = ${playlists.id})`.mapWith(
            Number,
          ),
          open_reports: openReports(on, "playlist", playlists.id),
          removal: openCase(sql`${removals.kind} = 'playlist' and ${removals.playlistId} = ${playlists.id}`),
        })
        .from(playlists)
        .innerJoin(users, eq(users.id, playlists.userId))
        .where(and(mayRead(operator), eq(playlists.id, id))),
    )
    .then(firstRow);

export type ModeratedSet = NonNullable<Awaited<ReturnType<typeof showModeratedSet>>>;

/** Finds the row that shows a picture. Reads all tracks, sets and users, which no visitor may cause. */
export const findPictured = (db: Database, operator: Operator, version: string) =>
  db
    .read((on) =>
      on
        .select({ of: sql<PictureOf>`found.kind`, id: sql`found.id`.mapWith(Number) })
        .from(
          sql`(select 'track' as kind, ${tracks.id} from ${tracks} where ${tracks.artworkVersion} = ${version}
            union all select 'playlist', ${playlists.id} from ${playlists} where ${playlists.artworkVersion} = ${version}
            union all select 'user', ${users.id} from ${users} where ${users.avatarVersion} = ${version} limit 1) found`,
        )
        .where(mayRead(operator)),
    )
    .then(firstRow);

export type PictureOf = "track" | "playlist" | "user";

/** A post to remove. `version` is the picture that was seen; null is any. */
export type Post =
  | { kind: "comment" | "playlist"; id: number }
  | { kind: "picture"; of: PictureOf; id: number; version: string | null };

const Removed = () =>
  changeOf(z.enum(["unknown", "already", "no_picture", "changed"]), { removal: z.number() });

/** Removing or restoring a set recounts the favorites of everybody who has it. */
export const removePost = (db: Database, by: By & { reason: string }, post: Post) =>
  db.callAtLength("remove_post", Removed, {
    by,
    kind: post.kind,
    of: "of" in post ? post.of : null,
    id: post.id,
    version: "version" in post ? post.version : null,
  });

const Decided = () => z.strictObject({ outcome: z.enum(["done", "already", "unknown", "replaced"]) });

export const restorePost = (db: Database, by: By, removal: number) =>
  db.callAtLength("restore_post", Decided, { by, removal });

/** Leaves it removed, in answer to the open counter-notice. `already`: there is none. */
export const upholdRemoval = (db: Database, by: By & { reason: string }, removal: number) =>
  db.call("uphold_removal", Decided, { by, removal });
