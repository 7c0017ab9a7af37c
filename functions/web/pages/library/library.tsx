import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv } from "../../../lib/http/env.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { listPath, type SetPage, type TrackPage } from "../discovery/lists.ts";
import { TrackRows } from "../discovery/track-rows.tsx";
import { Cards } from "../rows/card.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { More, withCursor } from "../rows/paging.tsx";
import { SetCard } from "../rows/set-card.tsx";
import { Tabs } from "../rows/tabs.tsx";

interface List {
  title: string;
  path: string;
  kind: "tracks" | "sets";
  empty: string;
  /** The next step where the list is empty. */
  step: readonly [href: string, words: string];
}

const DISCOVER = ["/discover", "Discover tracks"] as const;
const FIND_SETS = ["/search?type=sets", "Find sets"] as const;

const LISTS: Record<string, List> = {
  tracks: {
    title: "Liked tracks",
    path: "/me/likes/tracks",
    kind: "tracks",
    empty: "You have not liked a track yet. The heart stands beside each track.",
    step: DISCOVER,
  },
  "liked-sets": {
    title: "Liked sets",
    path: "/me/likes/playlists",
    kind: "sets",
    empty: "You have not liked a set yet.",
    step: FIND_SETS,
  },
  sets: {
    title: "Your sets",
    path: "/me/playlists",
    kind: "sets",
    empty: "You have no set yet. “Add to set” on any track makes one, too.",
    step: ["/you/sets/new", "Make a set"],
  },
  reposts: {
    title: "Reposted tracks",
    path: "/me/reposts/tracks",
    kind: "tracks",
    empty: "You have not reposted a track yet. Reposts reach the people who follow you.",
    step: DISCOVER,
  },
  "reposted-sets": {
    title: "Reposted sets",
    path: "/me/reposts/playlists",
    kind: "sets",
    empty: "You have not reposted a set yet.",
    step: FIND_SETS,
  },
};

const TITLES = Object.fromEntries(Object.entries(LISTS).map(([name, { title }]) => [name, title]));
const FIRST = "tracks";

/** Shows what the reader has collected. */
export async function showLibrary(c: Context<AppEnv>): Promise<Response> {
  const asked = c.req.query("show") ?? FIRST;
  const name = Object.hasOwn(LISTS, asked) ? asked : FIRST;
  const { title, path, kind, empty, step } = LISTS[name] as List;
  const at = (parameters = {}) => withCursor(listPath(path, parameters), c.req.url);
  const nothing = <Nothing step={step}>{empty}</Nothing>;
  if (kind === "tracks") {
    const page = await readApi<TrackPage>(c, at());
    const reader = readerOf(c);
    const rows = page.collection.length ? (
      <TrackRows env={c.env} reader={reader} label={title} tracks={page.collection} />
    ) : (
      nothing
    );
    return show(c, reader, name, rows, page.next_href);
  }
  const page = await readApi<SetPage>(c, at({ show_tracks: "false" }));
  const cards = page.collection.length ? (
    <Cards label={title}>
      {page.collection.map((set) => (
        <SetCard set={set} />
      ))}
    </Cards>
  ) : (
    nothing
  );
  return show(c, readerOf(c), name, cards, page.next_href);
}

const show = (c: Context<AppEnv>, reader: Reader, current: string, rows: Child, next: string | undefined) =>
  showSite(
    c,
    { title: `Library: ${TITLES[current]}`, reader },
    <>
      <header class="page-head">
        <h1>Library</h1>
      </header>
      <Tabs label="Library" path="/you/library" parameter="show" tabs={TITLES} current={current} />
      <section class="card listing" aria-label={TITLES[current]}>
        {rows}
        <More reader={reader} next={next} />
      </section>
    </>,
  );
