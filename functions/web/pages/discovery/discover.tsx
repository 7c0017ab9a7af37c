import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { More, pathWith, withCursor } from "../rows/paging.tsx";
import { entryOf, listPath, type TrackPage } from "./lists.ts";
import { type Discovered, discover } from "./new-and-popular.ts";
import { TrackRows } from "./track-rows.tsx";

/** Tracks per list, and if only popular ones are listed. */
const SHOWN = 10;
const MOST_POPULAR = 50;

const NOTHING = "There are no tracks here yet.";
/** Counts are added to tracks every few minutes, and hidden ones are not ranked. */
const NOTHING_POPULAR = "Nothing is popular here yet.";

/** Shows the newest and the popular tracks, of a genre or of all. */
export function showDiscovery(c: Context<AppEnv>): Promise<Response> {
  const genre = c.req.query("genre")?.trim() || undefined;
  const show = c.req.query("show");
  if (show === "newest") return showNewest(c, genre);
  return show === "popular" ? showPopular(c, genre) : showBoth(c, genre);
}

async function showBoth(c: Context<AppEnv>, genre: string | undefined) {
  const found = await discover(c, { genre, newest: SHOWN, popular: SHOWN });
  const { env } = c;
  const reader = readerOf(c);
  const { path } = reader;
  return showSite(
    c,
    { title: titleOf("Discover", genre), reader },
    <>
      <Heading name="Discover" genre={genre} path={path} />
      <Genres genre={genre} found={found} />
      <div class="columns">
        <section class="card listing">
          <h2>New</h2>
          <TrackRows env={env} reader={reader} label="New tracks" tracks={found.newest} empty={NOTHING} />
          <AllOf path={path} found={found} show="newest" name="All new tracks" />
        </section>
        <section class="card listing">
          <h2>Popular</h2>
          <TrackRows
            env={env}
            reader={reader}
            label="Popular tracks"
            tracks={found.popular}
            empty={NOTHING_POPULAR}
          />
          <AllOf path={path} found={found} show="popular" name="All popular tracks" />
        </section>
      </div>
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
  return showList(c, readerOf(c), { name: "Popular tracks", genre, tracks: popular, empty });
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

/** Links to each genre's page. */
const Genres = ({ genre, found: { genres } }: { genre: string | undefined; found: Discovered }) => {
  if (genre !== undefined || genres.length === 0) return null;
  return (
    <nav aria-label="Genres">
      <ul class="chips">
        {genres.map((name) => (
          <li>
            <a href={`/discover?${new URLSearchParams({ genre: name })}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

type AllOfProps = { path: string; found: Discovered; show: "newest" | "popular"; name: string };

const AllOf = ({ path, found, show, name }: AllOfProps) =>
  found[show].length === SHOWN ? (
    <p class="paging">
      <a class="button quiet" href={pathWith(path, { show })}>
        {name}
      </a>
    </p>
  ) : null;
