import type { Context } from "hono";
import { listNews, type NewsPlace } from "../../../../db/queries/news.ts";
import type { NewsKind } from "../../../../db/queries/news-events.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { badRequest } from "../../../lib/http/errors.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { asReader } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { ListNav } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { Tabs } from "../rows/tabs.tsx";
import { NewsRow } from "./news-row.tsx";

/** Subject of the token of the form that marks news as seen. */
export const SEEN = "news seen";

const TABS = { all: "All", comments: "Comments", follows: "Follows" };

const KINDS: Record<keyof typeof TABS, readonly NewsKind[]> = {
  all: ["comments", "followers", "likes", "tracks"],
  comments: ["comments"],
  follows: ["followers"],
};

/** With the next step. */
const NOTHING: Record<keyof typeof TABS, [words: string, href: string, step: string]> = {
  all: [
    "Nothing yet. Likes, reposts and comments on what you share appear here, replies to you, new followers, tracks that somebody shared with you or names you on as an artist, and what people publish whom you follow.",
    "/search?type=people",
    "Find people to follow",
  ],
  comments: [
    "Nothing yet. Comments on your tracks and replies to you appear here.",
    "/discover",
    "Discover tracks",
  ],
  follows: [
    "Nobody follows you yet. People who do appear here, the latest first.",
    "/upload",
    "Upload a track",
  ],
};

/** Groups on a page. */
const LIMIT = 30;

/** Shows what others did that concerns the reader, grouped by kind, subject and day. */
export async function showNotifications(c: Context<AppEnv>): Promise<Response> {
  const asked = c.req.query("show") ?? "";
  const current = Object.hasOwn(TABS, asked) ? (asked as keyof typeof TABS) : "all";
  const place = placeOf(c.req.query("cursor"));
  const query = { kinds: KINDS[current], place, limit: LIMIT, apart: current === "follows" };
  const { groups, seenId, next } = await asReader(c, (viewer) => listNews(c.var.db, viewer, query));
  const reader = readerOf(c);
  const [newest] = groups;
  const marks = current === "all" && !place && newest !== undefined && newest.newest > seenId;
  return showSite(
    c,
    { title: "Notifications", reader, styles: ["news.css"] },
    <>
      <header class="page-head">
        <h1>Notifications</h1>
        <a href="/you/credits">Credits</a>
        <a href="/you/notifications/mails">Mails</a>
      </header>
      {marks && <SeenForm token={formToken(c, SEEN)} until={newest.newest} />}
      <Tabs label="Notifications" path="/you/notifications" parameter="show" tabs={TABS} current={current} />
      <section class="listing" aria-label={TABS[current]}>
        {groups.length > 0 ? (
          <Rows label="Notifications">
            {groups.map((group) => (
              <NewsRow env={c.env} reader={reader} group={group} isNew={group.newest > seenId} />
            ))}
          </Rows>
        ) : (
          <Empty tab={current} hasOlder={next !== undefined} />
        )}
        <ListNav reader={reader} next={next && `${next.before}.${next.from}`} label="Pages" />
      </section>
    </>,
  );
}

const Empty = ({ tab, hasOlder }: { tab: keyof typeof TABS; hasOlder: boolean }) => {
  if (hasOlder) return <p class="empty">Nothing here is shown any more; look at older ones.</p>;
  const [words, href, step] = NOTHING[tab];
  return <Nothing step={[href, step]}>{words}</Nothing>;
};

/** The script sends it once the page is on the screen: links are fetched before they are pressed. */
const SeenForm = ({ token, until }: { token: string; until: number }) => (
  <news-seen data-token={token} data-until={String(until)}>
    <noscript>
      <form method="post" action="/you/notifications/seen">
        <input type="hidden" name="form_token" value={token} />
        <input type="hidden" name="until" value={String(until)} />
        <button class="act" type="submit">
          Mark all as seen
        </button>
      </form>
    </noscript>
  </news-seen>
);

const CURSOR = /^([1-9][0-9]{0,15})\.([1-9][0-9]{0,15})$/;

function placeOf(cursor: string | undefined): NewsPlace | undefined {
  if (cursor === undefined) return undefined;
  const [, before, from] = CURSOR.exec(cursor) ?? badRequest("The cursor is not of this list");
  return { before: Number(before), from: Number(from) };
}
