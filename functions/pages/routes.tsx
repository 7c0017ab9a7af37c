import type { Context } from "hono";
import type { Named } from "../../db/queries/resolve.ts";
import { findPage } from "../../db/queries/site-pages.ts";
import { previewOf } from "../embed/preview.ts";
import type { AppEnv } from "../http/env.ts";
import { Routes } from "../http/route.ts";
import { isApiPath, USER } from "../site/api-segments.ts";
import { redirectAsset } from "../site/assets.ts";
import { readerOf } from "../site/bar.tsx";
import { pageNotFound, prefersPage } from "../site/not-found.tsx";
import { sendPage } from "../site/policy.ts";
import { siteViewer } from "../site/viewer.ts";
import { presentedBy } from "../tracks/secret.ts";
import { TrackPage } from "./track.tsx";
import { TracksPage } from "./tracks-page.tsx";

/** {web_url}. Permalinks match nearly any path, so these routes come last. */
export const pages = new Routes();

pages.page("/static/:version/:name", (c) => {
  const { version = "", name = "" } = c.req.param();
  return redirectAsset(c.env, version, name) ?? pageNotFound(c);
});

const showUser = (c: Context<AppEnv>) => {
  const { user = "" } = c.req.param();
  return page(c, { kind: "user", permalink: user });
};

const showPlaylist = (c: Context<AppEnv>) => {
  const { user = "", set = "", secret } = c.req.param();
  return page(c, { kind: "playlist", owner: user, permalink: set }, secret);
};

const showTrack = (c: Context<AppEnv>) => {
  const { user = "", track = "", secret } = c.req.param();
  return page(c, { kind: "track", owner: user, permalink: track }, secret);
};

/** A private link ends with its secret token. */
const SECRET = ":secret{s-[0-9A-Za-z]+}";

pages.page(`/${USER}`, showUser);
pages.page(`/${USER}/sets/:set`, showPlaylist);
pages.page(`/${USER}/sets/:set/${SECRET}`, showPlaylist);
pages.page(`/${USER}/:track`, showTrack);
pages.page(`/${USER}/:track/${SECRET}`, showTrack);

/** An unknown path is a page for browsers; other clients get the usual error. */
export const isForPage = (c: Context<AppEnv>): boolean =>
  c.req.method === "GET" && !isApiPath(c.req.path) && prefersPage(c);

async function page(c: Context<AppEnv>, named: Named, secret?: string): Promise<Response> {
  // Position in the list, counted from 1.
  const [chosen] = /^[1-9][0-9]{0,3}$/.exec(c.req.query("track") ?? "") ?? [];
  const shows = { items: true, at: chosen === undefined ? undefined : Number(chosen) - 1 };
  const found = await findPage(c.var.db, named, presentedBy(c.req, secret), shows, siteViewer(c));
  const shown = previewOf(c.env, found);
  const reader = readerOf(c, found.is_signed_in);
  if (!shown) return pageNotFound(c, reader);
  const { track, comments } = found;
  const body = track ? (
    <TrackPage env={c.env} row={track} shown={shown} comments={comments} secret={secret} reader={reader} />
  ) : (
    <TracksPage env={c.env} page={found} shown={shown} secret={secret} reader={reader} />
  );
  // The page holds signed addresses, which are credentials.
  return sendPage(c, body, { cacheControl: "private, no-store", formAction: "'self'", reader });
}
