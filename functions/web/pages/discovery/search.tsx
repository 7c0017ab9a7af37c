import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import type { FormState } from "../../../ui/form.tsx";
import { siteName } from "../../../ui/name.ts";
import { ApiRefusal, readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { FollowButton } from "../acts/follow-button.tsx";
import { More, pathWith, withCursor } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { SetRow } from "../rows/set-row.tsx";
import { Tabs } from "../rows/tabs.tsx";
import { UserRow } from "../rows/user-row.tsx";
import { listPath, type PageOf, type SetPage, type TrackPage } from "./lists.ts";
import { AllResults } from "./search-all.tsx";
import { SearchFilters, trackParameters } from "./search-filters.tsx";
import { type AllFound, findAll, findPeople, type PeoplePage } from "./search-site.ts";
import { TrackRows } from "./track-rows.tsx";

const TYPES = { tracks: "Tracks", people: "People", sets: "Sets" };
const ALL = { all: "All", ...TYPES };
type Type = keyof typeof ALL;

type Found =
  | { type: "all"; page: AllFound }
  | { type: "tracks"; page: TrackPage }
  | { type: "people"; page: PeoplePage }
  | { type: "sets"; page: SetPage };

/** Searches tracks, people and sets. Without a text it lists the newest. */
export async function showSearch(c: Context<AppEnv>): Promise<Response> {
  const asked = c.req.query();
  const type = typeOf(asked);
  try {
    return show(c, asked, await find(c, type, asked));
  } catch (error) {
    if (!(error instanceof ApiRefusal) || (error.status !== 400 && error.status !== 422)) throw error;
    // An invalid cursor is no error of the form.
    if (error.causes.some((cause) => cause.startsWith("cursor"))) throw error;
    const page = { collection: [], tracks: [], people: [], sets: [] };
    return show(c, asked, { type, page }, error);
  }
}

/** All kinds for a text, unless one is asked for or implied by filters or a page of tracks. */
function typeOf(asked: Record<string, string>): Type {
  const { type = "", q = "", cursor } = asked;
  if (Object.hasOwn(TYPES, type)) return type as keyof typeof TYPES;
  return q.trim() && !cursor && !isFiltered(asked) ? "all" : "tracks";
}

async function find(c: Context<AppEnv>, type: Type, asked: Record<string, string>): Promise<Found> {
  const q = asked.q?.trim();
  const forgiving = asked.exact === "true" ? undefined : "true";
  const read = <Item,>(path: string, parameters = {}) =>
    readApi<PageOf<Item>>(c, withCursor(listPath(path, { q, forgiving, ...parameters }), c.req.url));
  switch (type) {
    case "all":
      return { type, page: await findAll(c, q ?? "", forgiving !== undefined) };
    case "tracks":
      return { type, page: await read("/tracks", trackParameters(asked)) };
    case "people":
      return { type, page: await findPeople(c, q ?? "", forgiving !== undefined) };
    case "sets":
      return { type, page: await read("/playlists", { show_tracks: "false" }) };
  }
}

function show(c: Context<AppEnv>, asked: Record<string, string>, found: Found, refusal?: ApiRefusal) {
  const reader = readerOf(c);
  const typed = asked.q?.trim();
  const { corrected_q } = found.page;
  const words = corrected_q ?? typed;
  // Links lead on with the words that were searched for.
  const path = pathWith(reader.path, { q: words, cursor: asked.cursor });
  const state: FormState = { values: asked, problems: refusal ? problemsOf(refusal) : {} };
  const { type, page } = found;
  return showSite(
    c,
    {
      title: typed ? `Search: ${typed}` : "Search",
      description: `Find tracks, people and sets on ${siteName(c.env)}.`,
      // One page for search engines, whatever the search.
      head: <link rel="canonical" href={webUrl(c.env, "/search")} />,
      reader,
      status: refusal ? 422 : 200,
    },
    <>
      <header class="page-head">
        <h1>{words ? `Results for “${words}”` : `New ${ALL[type].toLowerCase()}`}</h1>
      </header>
      {typed && corrected_q && (
        <p class="corrected" role="status">
          Nothing for “{typed}”. Showing results for “{corrected_q}”.{" "}
          <a href={pathWith(reader.path, { exact: "true" })}>Search for exactly “{typed}”</a>
        </p>
      )}
      <Tabs
        label="Kinds of results"
        path={pathWith("/search", { q: words, exact: asked.exact })}
        parameter="type"
        tabs={typed ? ALL : TYPES}
        current={type}
      />
      {type === "tracks" && <SearchFilters state={state} />}
      <section class="card listing" aria-label="Results">
        {refusal === undefined && isEmpty(found) ? (
          <NoResults words={typed} type={type} isFiltered={isFiltered(asked)} />
        ) : (
          <Results env={c.env} reader={reader} path={path} found={found} />
        )}
        {refusal && (
          <p class="empty">
            {state.problems.q ? `Your search ${state.problems.q}.` : "Correct the filters to see results."}
          </p>
        )}
        {"collection" in page && <More reader={{ path }} next={page.next_href} />}
      </section>
    </>,
  );
}

const problemsOf = ({ problems }: ApiRefusal): FormState["problems"] =>
  Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [FORM_FIELDS[field] ?? field, problem]),
  );

/** The form's fields by the last part of the API's names, such as `bpm[from]`. */
const FORM_FIELDS: Record<string, string> = { from: "bpm_from", to: "bpm_to", genres: "genre" };

const isFiltered = (asked: Record<string, string>) => Object.keys(trackParameters(asked)).length > 0;

const isEmpty = ({ type, page }: Found): boolean =>
  type === "all"
    ? page.tracks.length + page.people.length + page.sets.length === 0
    : page.collection.length === 0;

type ResultsProps = { env: AppEnv["Bindings"]; reader: Reader; path: string; found: Found };

const Results = ({ env, reader, path, found: { type, page } }: ResultsProps) => {
  switch (type) {
    case "all":
      return <AllResults env={env} reader={reader} path={path} found={page} />;
    case "tracks":
      return page.collection.length === 0 ? null : (
        <TrackRows env={env} reader={reader} label="Tracks" tracks={page.collection} empty="" />
      );
    case "people":
      return (
        <Rows label="People">
          {page.collection.map(({ user, follows }) => (
            <UserRow
              user={user}
              acts={<FollowButton env={env} reader={reader} user={user} follows={follows} />}
            />
          ))}
        </Rows>
      );
    case "sets":
      return (
        <Rows label="Sets">
          {page.collection.map((set) => (
            <SetRow reader={reader} set={set} />
          ))}
        </Rows>
      );
  }
};

type NoResultsProps = { words: string | undefined; type: Type; isFiltered: boolean };

const NoResults = ({ words, type, isFiltered }: NoResultsProps) => {
  const kind = type === "all" ? "tracks, people or sets" : TYPES[type].toLowerCase();
  return (
    <div class="empty">
      <p>
        {words ? `No ${kind} match “${words}”` : `There are no ${kind}`}
        {isFiltered ? " with these filters." : words ? "." : " yet."}
      </p>
      {words && (
        <p>
          Every word has to match, or begin a word. Try fewer or other words
          {type !== "all" && (
            <>
              , or look among <a href={pathWith("/search", { q: words })}>everything</a>
            </>
          )}
          .
        </p>
      )}
    </div>
  );
};
