import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { Cards } from "../rows/card.tsx";
import { More, pathWith, withCursor } from "../rows/paging.tsx";
import { PersonCard } from "../rows/person-card.tsx";
import { SetCard } from "../rows/set-card.tsx";
import { entryOf, listPath, type TrackPage } from "./lists.ts";
import { type Discovered, discover, discoverEverything } from "./new-and-popular.ts";
import { Part } from "./search-all.tsx";
import { TrackRows } from "./track-rows.tsx";

/** Tracks per list, and if only popular ones are listed. */
const SHOWN = 10;
const MOST_POPULAR = 50;
const CARDS = 6;

const NOTHING = "There are no tracks here yet.";
/** Counts are added to tracks every few minutes, and hidden ones are not ranked. */
const NOTHING_POPULAR = "Nothing is trending here yet.";

/** Shows the newest and the popular tracks, of a genre or of all. */
export function showDiscovery(c: Context<AppEnv>): Promise<Response> {
  const genre = c.req.query("genre")?.trim() || undefined;
  const show = c.req.query("show");
  if (show === "newest") return showNewest(c, genre);
  return show === "popular" ? showPopular(c, genre) : showBoth(c, genre);
}

async function showBoth(c: Context<AppEnv>, genre: string | undefined) {
  const isAll = genre === undefined;
  const most = { newest: SHOWN, popular: SHOWN, sets: isAll ? CARDS : 0, people: isAll ? CARDS : 0 };
  const found = await discoverEverything(c, { genre, ...most });
  const { env } = c;
  const reader = readerOf(c);
  const { path } = reader;
  return showSite(
    c,
    { title: titleOf("Discover", genre), reader },
    <>
      <Heading name="Discover" genre={genre} path={path} />
      {isAll && <Chips label="Genres" names={found.genres} hrefOf={genrePath} />}
      <div class="columns">
        <Part title="New" {...allOf(path, found, "newest", "All new tracks")}>
          <TrackRows env={env} reader={reader} label="New tracks" tracks={found.newest} empty={NOTHING} />
        </Part>
        <Part title="Trending" {...allOf(path, found, "popular", "All trending tracks")}>
          <TrackRows
            env={env}
            reader={reader}
            label="Trending tracks"
            tracks={found.popular}
            empty={NOTHING_POPULAR}
          />
        </Part>
      </div>
      {found.sets.length > 0 && (
        <Part title="Sets" all="All new sets" href="/search?type=sets">
          <Cards label="Sets">
            {found.sets.map((set) => (
              <SetCard set={set} />
            ))}
          </Cards>
        </Part>
      )}
      {found.people.length > 0 && (
        <Part title="People to follow" all="Everybody new" href="/search?type=people">
          <Cards label="People to follow">
            {found.people.map((user) => (
              <PersonCard env={env} reader={reader} user={user} follows={false} />
            ))}
          </Cards>
        </Part>
      )}
      {isAll && found.tags.length > 0 && (
        <Part title="Tags">
          <Chips label="Tags" names={found.tags} hrefOf={tagPath} />
        </Part>
      )}
    </>,
  );
}

async function showNewest(c: Context<AppEnv>, genre: string | undefined) {
  const asked = listPath("/tracks", { genres: genre && entryOf(genre), filter: "public" });
  const { collection, next_href } = await readApi<TrackPage>(c, withCursor(asked, c.req.url));
  const reader = readerOf(c);
  return showList(c, reader, { name: "New tracks", genre, tracks: collection, next: next_href });
}

async function showPopular(c: Context<AppEnv>, genre: string | undefined) {
  const { popular } = await discover(c, { genre, newest: 0, popular: MOST_POPULAR });
  const empty = NOTHING_POPULAR;
  return showList(c, readerOf(c), { name: "Trending tracks", genre, tracks: popular, empty });
}

interface Listed {
  name: string;
  genre: string | undefined;
  tracks: TrackPage["collection"];
  next?: string | undefined;
  /** Default: there are no tracks. */
  empty?: string;
}

const showList = (
  c: Context<AppEnv>,
  reader: Reader,
  { name, genre, tracks, next, empty = NOTHING }: Listed,
) =>
  showSite(
    c,
    { title: titleOf(name, genre), reader },
    <>
      <Heading name={name} genre={genre} path={reader.path} />
      <section class="card listing">
        <TrackRows env={c.env} reader={reader} label={name} tracks={tracks} empty={empty} />
        <More reader={reader} next={next} />
      </section>
    </>,
  );

const titleOf = (name: string, genre: string | undefined) => (genre ? `${name}: ${genre}` : name);

type HeadingProps = { name: string; genre: string | undefined; path: string };

const Heading = ({ name, genre, path }: HeadingProps) => (
  <header class="page-head">
    <h1>{titleOf(name, genre)}</h1>
    {genre && <a href={pathWith(path, { genre: undefined })}>All genres</a>}
    {name !== "Discover" && <a href={pathWith(path, { show: undefined })}>Back to Discover</a>}
  </header>
);

const genrePath = (genre: string) => `/discover?${new URLSearchParams({ genre })}`;
const tagPath = (tag: string) => `/tags/${encodeURIComponent(tag)}`;

type ChipsProps = { label: string; names: string[]; hrefOf: (name: string) => string };

const Chips = ({ label, names, hrefOf }: ChipsProps) =>
  names.length === 0 ? null : (
    <nav aria-label={label}>
      <ul class="chips">
        {names.map((name) => (
          <li>
            <a href={hrefOf(name)}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );

/** Leads to the whole of a list that is shown in part. */
const allOf = (path: string, found: Discovered, show: "newest" | "popular", all: string) =>
  found[show].length > 0 ? { all, href: pathWith(path, { show }) } : {};
