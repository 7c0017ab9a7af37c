import type { Context } from "hono";
import * as z from "zod";
import { type ActivityKind, listActivities } from "../../../db/queries/activities.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { filteredList } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { readTimeline, TIMELINE, TimelinePaging, timelinePage } from "../../lib/http/timeline.ts";
import { listOf } from "../../lib/text/search.ts";
import { Access } from "../tracks/vocabulary.ts";
import { Activities, representActivity } from "./representation.ts";

const ActivityQuery = z.object({
  access: listOf(Access, Access.options.length)
    .optional()
    .describe(
      "`playable`, `preview`, `blocked`, comma-separated. Filters by your access to the tracks; comments and likes stay.",
    ),
  ...TimelinePaging.shape,
});

export const activities = new Routes();

const HEARD_OF =
  "Lists comments on and likes of your tracks, replies to your comments, tracks shared with you, and tracks of users you follow. A reply is a later comment on the same track: in a thread where you wrote, at the same time in the track, or beginning with `@` and your name. A track that is both shared and followed counts as shared. Undone actions disappear.";

activities.get(
  "/me/activities",
  {
    operationId: "listActivities",
    summary: "List activities around you",
    description: `${HEARD_OF} ${TIMELINE}`,
    auth: "user",
    query: ActivityQuery,
    replies: { 200: Activities },
  },
  (c, { query }) => activityPage(c, "all", query),
);

activities.get(
  "/me/activities/all",
  {
    operationId: "listAllActivities",
    summary: "List activities around you, under the longer name",
    description: `${HEARD_OF} ${TIMELINE}`,
    auth: "user",
    query: ActivityQuery,
    replies: { 200: Activities },
  },
  (c, { query }) => activityPage(c, "all", query),
);

activities.get(
  "/me/activities/all/own",
  {
    operationId: "listOwnActivities",
    summary: "List activities on your own tracks",
    description: TIMELINE,
    auth: "user",
    query: ActivityQuery,
    replies: { 200: Activities },
  },
  (c, { query }) => activityPage(c, "own", query),
);

activities.get(
  "/me/activities/tracks",
  {
    operationId: "listTrackActivities",
    summary: "List tracks shared with you, and tracks of users you follow",
    description: TIMELINE,
    auth: "user",
    query: ActivityQuery,
    replies: { 200: Activities },
  },
  (c, { query }) => activityPage(c, "tracks", query),
);

activities.get(
  "/me/activities/tracks/affiliated",
  {
    operationId: "listAffiliatedTracks",
    summary: "List tracks of users you follow",
    description: TIMELINE,
    auth: "user",
    query: ActivityQuery,
    replies: { 200: Activities },
  },
  (c, { query }) => activityPage(c, "affiliated", query),
);

activities.get(
  "/me/activities/tracks/exclusive",
  {
    operationId: "listExclusiveTracks",
    summary: "List tracks shared with you and at most nine others",
    description: TIMELINE,
    auth: "user",
    query: ActivityQuery,
    replies: { 200: Activities },
  },
  (c, { query }) => activityPage(c, "exclusive", query),
);

async function activityPage(c: Context<UserEnv>, kind: ActivityKind, given: z.output<typeof ActivityQuery>) {
  const { access } = given;
  const { userId } = c.var.viewer;
  const list = filteredList(`me/activities/${kind}`, { access });
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId };
  const page = readTimeline(scope, given);
  const found = await listActivities(c.var.db, c.var.viewer, {
    kind,
    access,
    page,
    country: countryOf(c.req),
  });
  const items = found.rows.map((activity) => representActivity(c.env, activity));
  return c.json(timelinePage(scope, items, found, c.req.url, c.env));
}
