import { type Context, Hono } from "hono";
import { findTrackByPermalink } from "../../db/queries/tracks.ts";
import type { AppEnv } from "../http/env.ts";
import { presentedBy } from "../tracks/secret.ts";
import { isApiPath, USER } from "./api-segments.ts";
import { serveAsset } from "./assets.ts";
import { HomePage } from "./home.tsx";
import { pageNotFound, prefersPage } from "./not-found.tsx";
import { sendPage } from "./policy.ts";
import { TrackPage } from "./track.tsx";

/** {web_url}: the site. */
export const pages = new Hono<AppEnv>();

pages.get("/", (c) => sendPage(c, <HomePage env={c.env} />, { cacheControl: "public, max-age=300" }));

pages.get("/static/:version/:name", (c) => {
  const { version, name } = c.req.param();
  return serveAsset(version, name) ?? pageNotFound(c);
});

pages.get(`/${USER}/:track`, (c) => trackPage(c, c.req.param(), undefined));

/** A private track's link, which carries its secret token. */
pages.get(`/${USER}/:track/:secret{s-[0-9A-Za-z]+}`, (c) => {
  const { secret, ...permalink } = c.req.param();
  return trackPage(c, permalink, secret);
});

/** Middleware, not a route: what has no page in another method answers 405 as before. */
pages.use(async (c, next) => {
  const asksForPage = c.req.method === "GET" && !isApiPath(c.req.path) && prefersPage(c);
  return asksForPage ? pageNotFound(c) : next();
});

async function trackPage(
  c: Context<AppEnv>,
  permalink: { user: string; track: string },
  secret: string | undefined,
): Promise<Response> {
  const presented = presentedBy(c.req, secret);
  const track = await findTrackByPermalink(c.var.db, permalink.user, permalink.track, null, presented);
  if (!track) return pageNotFound(c);
  // It carries signed addresses, which are credentials.
  return sendPage(c, <TrackPage env={c.env} row={track} secret={secret} />, {
    cacheControl: "private, no-store",
  });
}
