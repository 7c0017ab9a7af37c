import type { Context } from "hono";
import type { Track } from "../../../api/tracks/representation.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { Apart } from "../../../ui/apart.tsx";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { clock } from "../../../ui/words.ts";
import type { TrackPage } from "../discovery/lists.ts";
import { Cover } from "../rows/cover.tsx";
import { More, pathWith, withCursor } from "../rows/paging.tsx";
import { PlayButton } from "../rows/play-button.tsx";
import { Row, Rows, Tally } from "../rows/row.tsx";
import { TrackMenu } from "../rows/row-menu.tsx";
import { Scheduled } from "../rows/scheduled.tsx";
import { OwnActs, OwnHead } from "./list.tsx";
import { Selection, SelectTrack } from "./selection.tsx";
import { TrackState } from "./track-state.tsx";

/** {web_url}: the reader's own tracks. */
export const ownTracks = new Routes({ renderError: showSiteError });

const PATH = "/you/tracks";

const FILTERS = [
  ["all", "All"],
  ["public", "Public"],
  ["private", "Private"],
] as const;

const PAGE_SIZE = "50";

ownTracks.page("/you", async (c) => {
  const { permalink } = await readApi<{ permalink: string }>(c, "/me");
  return seeOther(c, `/${permalink}`);
});

ownTracks.page(PATH, async (c) => {
  const asked = askedOf(c);
  const query = new URLSearchParams({ ...asked, limit: PAGE_SIZE, linked_partitioning: "true" });
  const path = withCursor(`/me/tracks?${query}`, c.req.url);
  const { collection, next_href } = await readApi<TrackPage>(c, path);
  const reader = readerOf(c);
  const waits = collection.some(({ state }) => state === "processing");
  return showSite(
    c,
    { title: "Your tracks", reader, styles: ["own.css"], scripts: ["own.client.js"] },
    <div class="own">
      <OwnHead title="Your tracks" here={PATH}>
        <a class="button" href="/upload">
          Upload
        </a>
      </OwnHead>
      <Filters {...asked} />
      {collection.length > 0 ? (
        <div class="selecting">
          <Selection tracks={collection} />
          <own-list data-queue data-waits={waits ? "true" : undefined}>
            <Rows label="Your tracks">
              {collection.map((track) => (
                <OwnTrack env={c.env} reader={reader} track={track} />
              ))}
            </Rows>
          </own-list>
        </div>
      ) : (
        <Empty isFiltered={asked.q !== undefined || asked.filter !== "all"} />
      )}
      <More reader={reader} next={next_href} />
    </div>,
  );
});

const Empty = ({ isFiltered }: { isFiltered: boolean }) => (
  <div class="empty">
    <p>{isFiltered ? "No track fits." : "You have no tracks yet. What you upload appears here."}</p>
    {isFiltered ? (
      <a class="button quiet" href={PATH}>
        Show all
      </a>
    ) : (
      <a class="button quiet" href="/upload">
        Upload your first track
      </a>
    )}
  </div>
);

/** Unknown filters are ignored. */
function askedOf(c: Context<AppEnv>): { filter: string; q?: string } {
  const { filter = "all", q = "" } = c.req.query();
  const known = FILTERS.some(([name]) => name === filter) ? filter : "all";
  return { filter: known, ...(q.trim() && { q: q.trim().slice(0, 200) }) };
}

const Filters = ({ filter, q }: { filter: string; q?: string }) => (
  <div class="own-filters">
    <nav aria-label="Show">
      <Apart>
        {FILTERS.map(([name, label]) => (
          <a href={pathWith(PATH, { filter: name, q })} aria-current={name === filter ? "true" : undefined}>
            {label}
          </a>
        ))}
      </Apart>
    </nav>
    <search>
      <form action={PATH}>
        <input type="hidden" name="filter" value={filter} />
        <label class="sr-only" for="own-search">
          Search your tracks
        </label>
        <input id="own-search" type="search" name="q" value={q ?? ""} placeholder="Search your tracks" />
      </form>
    </search>
  </div>
);

const OwnTrack = ({ env, reader, track }: { env: Env; reader: Reader; track: Track }) => (
  <Row
    href={track.permalink_url}
    title={track.title}
    mark={<SelectTrack track={track} />}
    picture={<Cover of={track} size="row" />}
    badge={track.sharing === "private" ? "Private" : undefined}
    by={
      <>
        <ul class="own-facts">
          <li>
            <Day at={track.created_at} />
          </li>
          <Tally of={track.comment_count} one="comment" many="comments" />
          <Tally of={track.reposts_count} one="repost" many="reposts" />
          <Tally of={track.download_count} one="download" many="downloads" />
        </ul>
        <Scheduled at={track.publish_at} />
        <TrackState env={env} reader={reader} track={track} />
      </>
    }
    facts={
      <>
        <Tally of={track.playback_count} one="play" many="plays" />
        <Tally of={track.favoritings_count} one="like" many="likes" />
        {track.duration > 0 && <li>{clock(track.duration)}</li>}
      </>
    }
    play={<PlayButton track={track} />}
    acts={
      <OwnActs title={track.title} editHref={`${track.permalink_url}/edit`}>
        <TrackMenu reader={reader} track={track} />
      </OwnActs>
    }
  />
);
