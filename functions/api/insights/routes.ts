import type { Context } from "hono";
import { findInsights, type InsightsRow } from "../../../db/queries/insights.ts";
import type { Subject } from "../../../db/queries/insights-range.ts";
import type { Env, UserEnv } from "../../lib/http/env.ts";
import { forbidden, notFound } from "../../lib/http/errors.ts";
import { attachment } from "../../lib/http/files/disposition.ts";
import { wantsCsv } from "../../lib/http/format/negotiate.ts";
import { webUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { PlaylistId } from "../playlists/input.ts";
import { TrackId } from "../tracks/input.ts";
import { insightsCsv } from "./csv.ts";
import { daysOf, dimensionOf, InsightsQuery, rangeOf } from "./input.ts";
import { Insights, representInsights } from "./representation.ts";

/** Figures of an owner's tracks. Nobody else reads them. */
export const insights = new Routes();

const SHARED = {
  auth: "user",
  query: InsightsQuery,
  csv: true,
  replies: { 200: Insights },
} as const;

insights.get(
  "/me/insights",
  {
    operationId: "getMyInsights",
    summary: "Get the insights of all your tracks",
    description: "Tracks that exist, and your followers. A deleted track takes its plays with it.",
    ...SHARED,
  },
  (c, { query }) => sendInsights(c, { kind: "me" }, query),
);

insights.get(
  "/tracks/:id/insights",
  {
    operationId: "getTrackInsights",
    summary: "Get a track's insights",
    description: "Owners only. Sums equal the track's counters.",
    ...SHARED,
    params: TrackId,
    errors: { 403: "The track is another user's." },
  },
  (c, { params: { id }, query }) => sendInsights(c, { kind: "track", id }, query),
);

insights.get(
  "/playlists/:id/insights",
  {
    operationId: "getPlaylistInsights",
    summary: "Get a playlist's insights",
    description:
      "Owners only. Likes and reposts are those of the playlist; everything else is that of your tracks in it now, wherever they were played.",
    ...SHARED,
    params: PlaylistId,
    errors: { 403: "The playlist is another user's." },
  },
  (c, { params: { id }, query }) => sendInsights(c, { kind: "playlist", id }, query),
);

const pageOf = (env: Env, { kind }: Subject, { owner, permalink }: InsightsRow): string | null =>
  owner === null ? null : webUrl(env, `/${owner}/${kind === "playlist" ? "sets/" : ""}${permalink}`);

async function sendInsights(c: Context<UserEnv>, subject: Subject, query: InsightsQuery): Promise<Response> {
  const { interval, by = [] } = query;
  const days = daysOf(query);
  const found = await findInsights(c.var.db, c.var.viewer, subject, {
    ...rangeOf(days, interval),
    by: by.map(dimensionOf),
  });
  const [thing, name] = subject.kind === "playlist" ? ["playlist", "Playlist"] : ["track", "Track"];
  if (found.outcome !== "done")
    return found.outcome === "unknown" ? notFound(name) : forbidden(`The ${thing} is another user's`);
  const shown = representInsights(pageOf(c.env, subject, found.insights), found.insights, {
    days,
    interval,
    by,
  });
  if (!wantsCsv(c)) return c.json(shown);
  const file = ["insights", ...by, days.from, days.to].join("-");
  return c.body(insightsCsv(shown, by), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": attachment(`${file}.csv`),
  });
}
