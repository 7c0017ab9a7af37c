import { hash } from "node:crypto";
import type { Context } from "hono";
import { getPath } from "hono/utils/url";
import { openDatabase } from "../../../../db/client.ts";
import {
  type FeedContent,
  type FeedName,
  findFeed,
  findSetId,
  giveFeedGuid,
} from "../../../../db/queries/podcast-feed.ts";
import { feedUrl } from "../../../api/podcasts/addresses.ts";
import { guidOf } from "../../../api/podcasts/guid.ts";
import { presentedBy } from "../../../api/tracks/secret.ts";
import { readableByPages } from "../../../lib/http/cors.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { Routes } from "../../../lib/http/route.ts";
import { type NamedPath, toPresentAddress } from "../permalinks/present-address.ts";
import { readable } from "./readable.ts";
import { rss } from "./rss.ts";
import { SAMPLE } from "./sample.ts";
import { secretIn } from "./secret-path.ts";

/** {web_url}: feeds for podcast programs, which have no session. */
export const feeds = new Routes();

feeds.page("/:user/feed.xml", (c) => {
  const { user = "" } = c.req.param();
  return sendFeed(c, { owner: user, set: undefined });
});

feeds.page("/:user/sets/:set/feed.xml", (c) => sendSetFeed(c));
feeds.page("/:user/sets/:set/:secret/feed.xml", (c) => sendSetFeed(c));

function sendSetFeed(c: Context<AppEnv>): Promise<Response> {
  const { user = "", set = "" } = c.req.param();
  return sendFeed(c, { owner: user, set }, secretIn(c));
}

/** Not `application/rss+xml`, which Firefox downloads instead of showing. Programs accept both. */
const TYPE = "application/xml; charset=utf-8";

/** Seconds until a track that was taken down leaves the feeds. */
const MAX_AGE_S = 60;

async function sendFeed(c: Context<AppEnv>, name: FeedName, secret?: string): Promise<Response> {
  const asked = c.req.header("If-None-Match") ?? "";
  const form = formOf(c.env);
  const copies = Array.from(asked.matchAll(/"([0-9a-f]{32})\.([0-9a-f]{8})"/g))
    .filter(([, , theirs]) => theirs === form)
    .map(([, tag = ""]) => tag);
  const feed = (await findFeed(c.var.db, name, presentedBy(c.req, secret), copies)) ?? notFound("Feed");
  const { tag, modified_at, content } = feed;
  const renamed = content && toPresentAddress(c, { user: name.owner, set: name.set }, presentOf(content));
  if (renamed) return readable(renamed);
  const moved = content && (await newAddress(c, content));
  const shared = {
    // Without an age, a redirect would be cached for ever.
    "Cache-Control": secret || moved ? "private, no-cache" : `public, max-age=${MAX_AGE_S}`,
    ...readableByPages,
  };
  if (moved && !isOpenedByPerson(c))
    return new Response(null, { status: 301, headers: { Location: moved, ...shared } });
  // Weak, because networks compress feeds. A date would not show that an episode was removed.
  const headers = { ETag: `W/"${tag}.${form}"`, ...shared };
  // `*` matches any version.
  if (!content || asked.trim() === "*") return new Response(null, { status: 304, headers });
  const text = rss(c.env, { ...content, modifiedAt: modified_at, secret });
  keepGuid(c, content.channel);
  return new Response(text, { headers: { "Content-Type": TYPE, ...headers } });
}

const presentOf = ({ channel: { user, permalink } }: FeedContent): NamedPath => ({
  user: user.permalink,
  set: permalink ?? undefined,
});

/** Stores the displayed GUID, so that it outlives a change of the service's URL. */
function keepGuid(c: Context<AppEnv>, { guid, user, permalink: set }: FeedContent["channel"]): void {
  if (guid !== null) return;
  const given = guidOf(null, feedUrl(c.env, { user: user.permalink, set }));
  // A failure does not matter: the next reader's request stores it.
  c.executionCtx.waitUntil(giveFeedGuid(openDatabase(c.env), user.id, set, given).catch(() => {}));
}

/**
 * The new address of a moved feed. `undefined` if it is the feed's own, in any spelling, present or former, and at any host of
 * this service: programs would loop.
 */
async function newAddress(c: Context<AppEnv>, { channel }: FeedContent): Promise<string | undefined> {
  const moved = URL.parse(channel.podcast?.new_feed_url ?? "");
  if (!moved) return undefined;
  const here = new URL(webUrl(c.env, moved.pathname));
  if (![here.host, new URL(c.req.url).host].includes(moved.host)) return moved.href;
  const [, owner, set] = SET_FEED.exec(getPath(new Request(here))) ?? [];
  const isHere = owner && set && (await findSetId(c.var.db, { owner, set })) === channel.set_id;
  return isHere ? undefined : moved.href;
}

const SET_FEED = /^\/([^/]+)\/sets\/([^/]+)\/(?:[^/]+\/)?feed\.xml$/;

/** Browsers show the feed. If they followed the redirect, a link to this site could lead people anywhere. */
const isOpenedByPerson = (c: Context<AppEnv>): boolean => c.req.header("Sec-Fetch-Mode") === "navigate";

/** Hashes the format of feeds, so that a release with another format, or other hosts, reaches readers too. */
const formOf = (env: Env): string => hash("sha256", rss(env, SAMPLE)).slice(0, 8);
