import { and, desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { reports, takedowns } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { encodingJobs, tracks, transcoders } from "../schema/tracks.ts";
import { selected } from "../stored-select.ts";
import { actsOn, type By, below, mayRead, NEWEST, type Operator, type Page } from "./acts.ts";
import { createdAt, firstRow, moment } from "./caller.ts";
import { LEASE_S } from "./jobs.ts";
import { linkedId, presentTrack } from "./links.ts";
import { containing } from "./moderation.ts";
import { publishedAt } from "./show-parts.ts";

const moderated = (on: Reader) => ({
  id: tracks.id,
  title: tracks.title,
  permalink: tracks.permalink,
  artwork_version: tracks.artworkVersion,
  sharing: tracks.sharing,
  publish_at: moment<string | null>(tracks.publishAt),
  published_at: publishedAt(tracks),
  state: tracks.state,
  created_at: createdAt(tracks.id),
  user_id: users.id,
  user_permalink: users.permalink,
  /** Names of the credited artists; null without any. */
  artists: sql<
    string | null
  >`(select string_agg(a->>'name', ', ') from jsonb_array_elements(${tracks.artists}) a)`,
  bytes: tracks.originalContentSize,
  duration_ms: tracks.durationMs,
  taken_down_for: takedowns.reason,
  taken_down_at: moment<string | null>(takedowns.createdAt),
  open_reports: on.$count(
    reports,
    and(eq(reports.targetKind, "track"), eq(reports.targetId, tracks.id), eq(reports.state, "open")),
  ),
});

/** Tracks in whatever state, as operators see them. */
const moderatedTracks = (on: Reader) =>
  on
    .select(moderated(on))
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .leftJoin(takedowns, eq(takedowns.trackId, tracks.id));

export type ModeratedTrack = Awaited<ReturnType<typeof moderatedTracks>>[number];

/** A track as operators name one: by id, also that of one whose place it took, or by both permalinks. */
export interface MeantTrack {
  id: number | null;
  owner: string | null;
  permalink: string | null;
}

const isMeant = ({ id, owner, permalink }: MeantTrack) =>
  id === null
    ? eq(tracks.id, linkedId({ kind: "track", owner: owner ?? undefined, permalink: permalink ?? undefined }))
    : eq(tracks.id, presentTrack(id));

/** Tells how far the encode of a track is. */
const encode = {
  encode_state: encodingJobs.state,
  /** Attempts that have begun. */
  encode_attempts: encodingJobs.attempt,
  /** Place among the waiting jobs, from 1. Null unless the job waits. */
  queue_place: sql<number | null>`case when ${encodingJobs.state} = 'queued' then 1 + (
    select count(*) from ${encodingJobs} ahead where ahead.state = 'queued' and ahead.turn < ${encodingJobs.turn}) end`.mapWith(
    Number,
  ),
  /** No attempt begins before this time. Null unless the job waits. */
  due_at: moment<string | null>(
    sql`case when ${encodingJobs.state} = 'queued' and ${encodingJobs.nextRunAt} < now() + interval '1 year' then ${encodingJobs.nextRunAt} end`,
  ),
  /** The one that has the job, or had it last. */
  transcoder: encodingJobs.transcoder,
  /** Time of the transcoder's last report about this job. Null unless it runs. */
  reported_at: moment<string | null>(
    sql`case when ${encodingJobs.state} = 'leased' and isfinite(${encodingJobs.leaseUntil})
      then ${encodingJobs.leaseUntil} - make_interval(secs => ${LEASE_S}) end`,
  ),
  /** Time of the transcoder's last answer about anything. */
  transcoder_seen_at: moment<string | null>(transcoders.seenAt),
  progress: encodingJobs.progress,
  /** The fault of the last attempt that failed. */
  failure: encodingJobs.failureReason,
  failure_detail: encodingJobs.failureDetail,
};

const shownTrack = (on: Reader, operator: Operator, meant: MeantTrack) =>
  on
    .select({ ...moderated(on), ...encode })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .leftJoin(takedowns, eq(takedowns.trackId, tracks.id))
    .leftJoin(encodingJobs, eq(encodingJobs.trackId, tracks.id))
    .leftJoin(transcoders, eq(transcoders.name, encodingJobs.transcoder))
    .where(and(mayRead(operator), isMeant(meant)));

export type ShownTrack = Awaited<ReturnType<typeof shownTrack>>[number];

export const showTrack = (db: Database, operator: Operator, meant: MeantTrack) =>
  db.read((on) => shownTrack(on, operator, meant)).then(firstRow);

/** A track, and the newest acts on it. `undefined` if there is none. */
export async function showTrackPage(db: Database, operator: Operator, meant: MeantTrack) {
  const on = db.drizzle;
  const id = on
    .select({ id: tracks.id })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(isMeant(meant));
  const [[track], acts] = await db.readAll([
    selected(shownTrack(on, operator, meant)),
    selected(actsOn(on, operator, { kind: "track", id }, NEWEST)),
  ]);
  return track && { track, acts };
}

/** Lists tracks whose title contains the words, newest first. */
export const searchTracks = (db: Database, operator: Operator, words: string, { before, limit }: Page) =>
  db.read((on) =>
    moderatedTracks(on)
      .where(
        and(
          mayRead(operator),
          below(tracks.id, before),
          sql`lower(${tracks.title}) like ${containing(words)}`,
        ),
      )
      .orderBy(desc(tracks.id))
      .limit(limit),
  );

const TrackAct = () => z.strictObject({ outcome: z.enum(["done", "already", "unknown"]) });

/** Both recount the public favorites of everybody whose favorite the track is. */
export const takeDownTrack = (db: Database, by: By & { reason: string }, track: number) =>
  db.callAtLength("act_on_track", TrackAct, { by, act: "take-down", track });

export const putBackTrack = (db: Database, by: By, track: number) =>
  db.callAtLength("act_on_track", TrackAct, { by, act: "put-back", track });

/** The users among its artists count as having declined, so that the owner cannot ask them again. */
export const uncreditTrack = (db: Database, by: By & { reason: string }, track: number) =>
  db.callAtLength("act_on_track", TrackAct, { by, act: "uncredit", track });
