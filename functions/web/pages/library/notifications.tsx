import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { Activities, Activity } from "../../../api/activities/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { listPath, type UserPage } from "../discovery/lists.ts";
import { More, withCursor } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { Tabs } from "../rows/tabs.tsx";
import { UserRow } from "../rows/user-row.tsx";
import { ActivityRow } from "./activity-row.tsx";

const TABS = { all: "Activity", own: "On your tracks", followers: "New followers" };

/** Shows others' activities that concern the reader. */
export async function showNotifications(c: Context<AppEnv>): Promise<Response> {
  const asked = c.req.query("show");
  if (asked === "followers") return showFollowers(c);
  const current = asked === "own" ? "own" : "all";
  const path = current === "own" ? "/me/activities/all/own" : "/me/activities";
  const found = await readApi<Activities>(c, withCursor(`${path}?limit=30`, c.req.url));
  const rows = <ActivityRows activities={found.collection} current={current} />;
  return show(c, readerOf(c), current, rows, found.next_href);
}

async function showFollowers(c: Context<AppEnv>) {
  const path = withCursor(listPath("/me/followers"), c.req.url);
  const { collection, next_href } = await readApi<UserPage>(c, path);
  const rows = collection.length ? (
    <Rows label="Followers">
      {collection.map((user) => (
        <UserRow user={user} note="Follows you" />
      ))}
    </Rows>
  ) : (
    <p class="empty">Nobody follows you yet. People who do appear here, the latest first.</p>
  );
  return show(c, readerOf(c), "followers", rows, next_href);
}

const NOTHING = {
  all: "Nothing yet. Comments on and likes of your tracks appear here, replies to you, tracks that somebody shared with you, and new tracks of the people you follow.",
  own: "Nothing yet. Comments on and likes of your tracks appear here.",
};

type ActivityRowsProps = { activities: Activity[]; current: keyof typeof NOTHING };

const ActivityRows = ({ activities, current }: ActivityRowsProps) =>
  activities.length ? (
    <Rows label="Notifications">
      {activities.map((activity) => (
        <ActivityRow activity={activity} />
      ))}
    </Rows>
  ) : (
    <p class="empty">{NOTHING[current]}</p>
  );

const show = (
  c: Context<AppEnv>,
  reader: Reader,
  current: keyof typeof TABS,
  rows: Child,
  next: string | undefined,
) =>
  showSite(
    c,
    { title: "Notifications", reader },
    <>
      <header class="page-head">
        <h1>Notifications</h1>
      </header>
      <Tabs label="Notifications" path="/you/notifications" parameter="show" tabs={TABS} current={current} />
      <section class="card listing" aria-label={TABS[current]}>
        {rows}
        <More reader={reader} next={next} />
      </section>
    </>,
  );
