import type { Context } from "hono";
import { inFormat } from "../../embed/representation.ts";
import type { AppEnv, Env } from "../../http/env.ts";
import { Routes } from "../../http/route.ts";
import { type Reader, readerOf } from "../../site/bar.tsx";
import { readApi } from "../../site/own-api.ts";
import { seeOther } from "../../site/page.tsx";
import { showSite, showSiteError } from "../../site/site-page.tsx";
import { clock, day, number } from "../../site/words.ts";
import type { Track } from "../../tracks/representation.ts";
import { type Collection, More, OwnHead } from "./list.tsx";
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
  const cursor = c.req.query("cursor");
  if (cursor) query.set("cursor", cursor);
  const { collection, next_href } = await readApi<Collection<Track>>(c, `/me/tracks?${query}`);
  const reader = readerOf(c);
  const waits = collection.some(({ state }) => state === "processing");
  return showSite(
    c,
    { title: "Your tracks", reader, scripts: ["own.client.js"] },
    <div class="own">
      <OwnHead title="Your tracks" here={PATH}>
        <a class="button" href="/upload">
          Upload
        </a>
      </OwnHead>
      <Filters {...asked} />
      {collection.length > 0 ? (
        <own-list data-waits={waits ? "true" : undefined}>
          <ul class="own-list card">
            {collection.map((track) => (
              <OwnTrack env={c.env} reader={reader} track={track} />
            ))}
          </ul>
        </own-list>
      ) : (
        <p class="notice">{cursor || asked.q || asked.filter !== "all" ? "No track fits." : NONE_YET}</p>
      )}
      <More path={PATH} query={asked} nextHref={next_href} />
    </div>,
  );
});

const NONE_YET = "You have no tracks yet. What you upload appears here.";

/** Unknown filters count as none. */
function askedOf(c: Context<AppEnv>): { filter: string; q?: string } {
  const { filter = "all", q = "" } = c.req.query();
  const known = FILTERS.some(([name]) => name === filter) ? filter : "all";
  return { filter: known, ...(q.trim() && { q: q.trim().slice(0, 200) }) };
}

const Filters = ({ filter, q }: { filter: string; q?: string }) => (
  <div class="own-filters">
    <nav aria-label="Show">
      {FILTERS.map(([name, label]) => (
        <a
          href={`${PATH}?${new URLSearchParams({ filter: name, ...(q && { q }) })}`}
          aria-current={name === filter ? "true" : undefined}
        >
          {label}
        </a>
      ))}
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
  <li class="own-item">
    <Cover picture={track.artwork_url} />
    <div class="own-about">
      <p class="own-title">
        <a href={track.permalink_url}>{track.title}</a>
        {track.sharing === "private" && <span class="badge">Private</span>}
      </p>
      <p class="hint">
        {[track.duration > 0 && clock(track.duration), day(track.created_at), ...countsOf(track)]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <TrackState env={env} reader={reader} track={track} />
    </div>
    <ItemActions
      title={track.title}
      editHref={`${track.permalink_url}/edit`}
      deleteHref={`${PATH}/${track.id}/delete`}
    />
  </li>
);

const countsOf = ({ playback_count, favoritings_count, reposts_count, comment_count }: Track): string[] => {
  const counts: [number | null, string, string][] = [
    [playback_count, "play", "plays"],
    [favoritings_count, "like", "likes"],
    [reposts_count, "repost", "reposts"],
    [comment_count, "comment", "comments"],
  ];
  return counts.flatMap(([count, one, many]) =>
    count ? [`${number(count)} ${count === 1 ? one : many}`] : [],
  );
};

export const Cover = ({ picture }: { picture: string | null }) =>
  picture ? (
    <img class="own-cover" src={inFormat(picture, "large")} width="56" height="56" alt="" loading="lazy" />
  ) : (
    <span class="own-cover" />
  );

type ItemActionsProps = { title: string; editHref: string; deleteHref: string };

export const ItemActions = ({ title, editHref, deleteHref }: ItemActionsProps) => (
  <div class="own-actions">
    <a class="act" href={editHref} aria-label={`Edit ${title}`}>
      Edit
    </a>
    <a class="act" href={deleteHref} aria-label={`Delete ${title}`}>
      Delete
    </a>
  </div>
);
