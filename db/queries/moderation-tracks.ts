import { and, desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { reports, takedowns } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import { selected } from "../stored-select.ts";
import { actsOn, type By, below, mayRead, NEWEST, type Operator, type Page } from "./acts.ts";
import { createdAt, firstRow, moment } from "./caller.ts";
import { linkedId, presentTrack } from "./links.ts";
import { containing } from "./moderation.ts";
import { publishedAt } from "./show-parts.ts";

/** Tracks in whatever state, as operators see them. */
const moderatedTracks = (on: Reader) =>
  on
    .select({
      id: tracks.id,
      title: tracks.title,
      permalink: tracks.permalink,
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
    })
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

const shownTrack = (on: Reader, operator: Operator, meant: MeantTrack) =>
  moderatedTracks(on).where(and(mayRead(operator), isMeant(meant)));

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
