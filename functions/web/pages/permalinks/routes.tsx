import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { showPage } from "../../../../db/queries/permalink-pages.ts";
import { TABS, type Tab } from "../../../../db/queries/profile-tabs.ts";
import type { Named } from "../../../../db/queries/resolve.ts";
import type { Subject } from "../../../../db/queries/site-pages.ts";
import { presentedBy } from "../../../api/tracks/secret.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { isRead } from "../../../lib/http/methods.ts";
import { Routes } from "../../../lib/http/route.ts";
import { redirectAsset } from "../../../ui/assets.ts";
import { readerOf } from "../../../ui/bar.tsx";
import type { FormState } from "../../../ui/form.tsx";
import { pageNotFound } from "../../../ui/not-found.tsx";
import { seeOther } from "../../../ui/page.tsx";
import { sendPage } from "../../../ui/policy.ts";
import { showSiteError } from "../../../ui/site-page.tsx";
import { readAsReader } from "../../../ui/viewer.ts";
import { previewOf } from "../../embed/preview.ts";
import { idIn, placeIn } from "../rows/paging.tsx";
import { writeComment } from "./comment-form.ts";
import { type NamedPath, toPresentAddress } from "./present-address.ts";
import { ProfilePage } from "./profile.tsx";
import { SetPage } from "./set.tsx";
import { ShowPage } from "./show.tsx";
import { TrackPage } from "./track.tsx";

/** {web_url}. Permalinks match nearly any path, so these routes come last. */
export const pages = new Routes();

pages.page("/static/:version/:name", (c) => {
  const { version = "", name = "" } = c.req.param();
  return redirectAsset(c.env, version, name) ?? pageNotFound(c);
});

const showUser = (tab: Tab) => (c: Context<AppEnv>) => {
  const { user = "" } = c.req.param();
  return page(c, { kind: "user", permalink: user }, { tab });
};

const showPlaylist = (c: Context<AppEnv>) => {
  const { user = "", set = "", secret } = c.req.param();
  return page(c, { kind: "playlist", owner: user, permalink: set }, { secret });
};

const showTrack = (c: Context<AppEnv>, form: Pick<Shown, "state" | "status"> = {}) => {
  const { user = "", track = "", secret } = c.req.param();
  return page(c, { kind: "track", owner: user, permalink: track }, { secret, ...form });
};

/** Redirects to the new comment, or shows the form again. */
async function takeComment(c: Context<AppEnv>) {
  const written = await writeComment(c, { secret: c.req.param("secret"), replyTo: idIn(c, "reply") });
  return "page" in written ? seeOther(c, written.page) : showTrack(c, written);
}

pages.page("/:user", showUser("tracks"));
// These are reserved as permalinks of tracks.
for (const tab of TABS.slice(1)) pages.page(`/:user/${tab}`, showUser(tab));
pages.page("/:user/sets/:set", showPlaylist);
pages.page("/:user/sets/:set/:secret", showPlaylist);
pages.page("/:user/:track", (c) => showTrack(c));
pages.page("/:user/:track/:secret", (c) => showTrack(c));

/** {web_url}: the form on a track's page, which posts to the page's own URL. */
export const commentForms = new Routes({ renderError: showSiteError });

commentForms.form("/:user/:track", takeComment);
commentForms.form("/:user/:track/:secret", takeComment);

const namedIn = (c: Context<AppEnv>): NamedPath => {
  const { user = "", track, set } = c.req.param();
  return { user, track, set };
};

/** The permalinks of the page's subject. */
const addressOf = ({ track, playlist, user }: Subject): NamedPath => ({
  user: (track?.user ?? playlist?.user ?? user)?.permalink ?? "",
  track: track?.permalink,
  set: playlist?.permalink,
});

interface Shown {
  tab?: Tab;
  secret?: string | undefined;
  /** Set to show a comment's form again. */
  state?: FormState;
  status?: ContentfulStatusCode;
}

async function page(
  c: Context<AppEnv>,
  named: Named,
  { tab, secret, state, status }: Shown,
): Promise<Response> {
  const facts = presentedBy(c.req, secret);
  const replyTo = idIn(c, "reply");
  const thread = replyTo ?? idIn(c, "thread");
  const shows = { tab, after: placeIn(c), thread };
  const found = await readAsReader(c, (db, viewer) => showPage(db, viewer, named, facts, shows));
  const reader = readerOf(c);
  const shown = found && previewOf(c.env, found);
  if (!shown) return pageNotFound(c, reader);
  const { track, playlist, user, around, remarks = [] } = found;
  const moved = isRead(c) && toPresentAddress(c, namedIn(c), addressOf(found));
  if (moved) return moved;
  const common = { env: c.env, shown, around, secret, reader };
  const body = track ? (
    <TrackPage
      {...common}
      row={track}
      remarks={remarks}
      talk={{ isThread: thread !== undefined, replyTo, state }}
    />
  ) : playlist && around.podcast ? (
    <ShowPage {...common} row={playlist} podcast={around.podcast} />
  ) : playlist ? (
    <SetPage {...common} row={playlist} />
  ) : user && tab ? (
    <ProfilePage {...common} user={user} tab={tab} />
  ) : null;
  if (!body) return pageNotFound(c, reader);
  // The page holds signed URLs, which are credentials.
  return sendPage(c, body, {
    status: status ?? 200,
    cacheControl: "private, no-store",
    formAction: "'self'",
    reader,
  });
}
