import type { Context } from "hono";
import { Hono } from "hono";
import * as z from "zod";
import { listFeed, type PostKind } from "../../db/queries/feed.ts";
import { operation, query } from "../http/contract.ts";
import { countryOf } from "../http/country.ts";
import type { AppEnv, Env, UserEnv } from "../http/env.ts";
import { filteredList } from "../http/paging.ts";
import { listOf } from "../http/search.ts";
import { readTimeline, TIMELINE, TimelinePaging, timelineText } from "../http/timeline.ts";
import { requireUser } from "../http/viewer.ts";
import { playlistTexts } from "../playlists/represent.ts";
import { HeldTracks } from "../tracks/listed.ts";
import { Access } from "../tracks/vocabulary.ts";
import { Feed, representPost, TrackFeed } from "./representation.ts";

const FeedQuery = z.object({
  access: listOf(Access, Access.options.length)
    .optional()
    .describe(
      "`playable`, `preview`, `blocked`, comma-separated: what you may do with the tracks; playlists stay. A page looks through 20,000 posts at most: where too few of them fit, the list ends.",
    ),
  ...TimelinePaging.shape,
});

const TRACKS: PostKind[] = ["track", "track-repost"];
const ALL: PostKind[] = [...TRACKS, "playlist", "playlist-repost"];

/** Below `/me`. */
export const feed = new Hono<AppEnv>()
  .get(
    "/feed",
    operation(
      "List what those you follow post and repost",
      { 200: Feed },
      {
        description: `Tracks and playlists, in the order in which they were made public or reposted; each post and each repost is an item of its own. ${TIMELINE}`,
      },
    ),
    requireUser,
    query(FeedQuery),
    (c) => feedPage(c, c.req.valid("query"), ALL),
  )
  .get(
    "/feed/tracks",
    operation(
      "List the tracks that those you follow post and repost",
      { 200: TrackFeed },
      { description: TIMELINE },
    ),
    requireUser,
    query(FeedQuery),
    (c) => feedPage(c, c.req.valid("query"), TRACKS),
  );

async function feedPage(c: Context<UserEnv>, given: z.output<typeof FeedQuery>, kinds: PostKind[]) {
  const { access } = given;
  const { userId } = c.var.viewer;
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list: filteredList("feed", { kinds, access }), userId };
  const page = readTimeline(scope, given);
  // No cursor comes twice, so what follows on the first page is not worth being remembered apart.
  const isFirst = page.before === undefined && page.since === undefined;
  const held = new HeldTracks(`${scope.list} ${userId} ${isFirst ? page.limit : "on"}`, undefined);
  const found = await listFeed(c.var.db, c.var.viewer, {
    ...{ kinds, access, country: countryOf(c.req), known: held.known },
    page,
  });
  const text = timelineText(scope, itemTexts(c.env, found, held), found, c.req.url, c.env);
  return c.body(text, 200, { "Content-Type": "application/json" });
}

type Found = Awaited<ReturnType<typeof listFeed>>;

/** Tracks and playlists are JSON before, most of the tracks since long ago. */
function itemTexts(env: Env, { items, tracks, playlists }: Found, held: HeldTracks): string[] {
  const origins = held.render(env, tracks).byId();
  const playlistPage = playlistTexts(env, { playlists, tracks: null }, held);
  playlists.forEach(({ id }, at) => void origins.set(id, playlistPage[at]?.json ?? ""));
  return items.map((item) => {
    const post = JSON.stringify(representPost(item, env));
    return `${post.slice(0, -1)},"origin":${origins.get(item.subject_id)}}`;
  });
}
