import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { readerOf } from "../../../ui/bar.tsx";
import type { FormState } from "../../../ui/form.tsx";
import { siteName } from "../../../ui/name.ts";
import { ApiRefusal, readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { More, pathWith, withCursor } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { SetRow } from "../rows/set-row.tsx";
import { Tabs } from "../rows/tabs.tsx";
import { UserRow } from "../rows/user-row.tsx";
import { listPath, type PageOf, type SetPage, type TrackPage, type UserPage } from "./lists.ts";
import { SearchFilters, trackParameters } from "./search-filters.tsx";
import { TrackRows } from "./track-rows.tsx";

const TYPES = { tracks: "Tracks", people: "People", sets: "Sets" };
type Type = keyof typeof TYPES;

const isType = (name: string | undefined): name is Type => name !== undefined && Object.hasOwn(TYPES, name);

type Found =
  | { type: "tracks"; page: TrackPage }
  | { type: "people"; page: UserPage }
  | { type: "sets"; page: SetPage };

/** Searches tracks, people and sets. Without a text it lists the newest. */
export async function showSearch(c: Context<AppEnv>): Promise<Response> {
  const asked = c.req.query();
  const type = isType(asked.type) ? asked.type : "tracks";
  try {
    return show(c, asked, await find(c, type, asked));
  } catch (error) {
    if (!(error instanceof ApiRefusal) || (error.status !== 400 && error.status !== 422)) throw error;
    // An invalid cursor is no error of the form.
    if (error.causes.some((cause) => cause.startsWith("cursor"))) throw error;
    return show(c, asked, { type, page: { collection: [] } } as Found, error);
  }
}

async function find(c: Context<AppEnv>, type: Type, asked: Record<string, string>): Promise<Found> {
  const q = asked.q?.trim();
  const read = <Item,>(path: string, parameters = {}) =>
    readApi<PageOf<Item>>(c, withCursor(listPath(path, { q, ...parameters }), c.req.url));
  switch (type) {
    case "tracks":
      return { type, page: await read("/tracks", trackParameters(asked)) };
    case "people":
      return { type, page: await read("/users") };
    case "sets":
      return { type, page: await read("/playlists", { show_tracks: "false" }) };
  }
}

function show(c: Context<AppEnv>, asked: Record<string, string>, found: Found, refusal?: ApiRefusal) {
  const reader = readerOf(c);
  const words = asked.q?.trim();
  const state: FormState = { values: asked, problems: refusal ? problemsOf(refusal) : {} };
  const { type, page } = found;
  return showSite(
    c,
    {
      title: words ? `Search: ${words}` : "Search",
      description: `Find tracks, people and sets on ${siteName(c.env)}.`,
      // One page for search engines, whatever the search.
      head: <link rel="canonical" href={webUrl(c.env, "/search")} />,
      reader,
      status: refusal ? 422 : 200,
    },
    <>
      <header class="page-head">
        <h1>{words ? `Results for “${words}”` : `New ${TYPES[type].toLowerCase()}`}</h1>
      </header>
      <Tabs
        label="Kinds of results"
        path={pathWith("/search", { q: words })}
        parameter="type"
        tabs={TYPES}
        current={type}
      />
      {type === "tracks" && <SearchFilters state={state} />}
      <section class="card listing" aria-label="Results">
        {refusal === undefined && page.collection.length === 0 ? (
          <NoResults words={words} type={type} isFiltered={isFiltered(asked)} />
        ) : (
          <Results env={c.env} reader={reader} found={found} />
        )}
        {refusal && (
          <p class="empty">
            {state.problems.q ? `Your search ${state.problems.q}.` : "Correct the filters to see results."}
          </p>
        )}
        <More reader={reader} next={page.next_href} />
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

type ResultsProps = { env: AppEnv["Bindings"]; reader: ReturnType<typeof readerOf>; found: Found };

const Results = ({ env, reader, found: { type, page } }: ResultsProps) => {
  if (page.collection.length === 0) return null;
  switch (type) {
    case "tracks":
      return <TrackRows env={env} reader={reader} label="Tracks" tracks={page.collection} empty="" />;
    case "people":
      return (
        <Rows label="People">
          {page.collection.map((user) => (
            <UserRow user={user} />
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

const NoResults = ({ words, type, isFiltered }: NoResultsProps) => (
  <div class="empty">
    <p>
      {words
        ? `No ${TYPES[type].toLowerCase()} match “${words}”`
        : `There are no ${TYPES[type].toLowerCase()}`}
      {isFiltered ? " with these filters." : words ? "." : " yet."}
    </p>
    {words && (
      <p>
        Every word has to match, or begin a word. Try fewer or other words, or look among the{" "}
        <a href={pathWith("/search", { q: words, type: type === "people" ? "tracks" : "people" })}>
          {type === "people" ? "tracks" : "people"}
        </a>
        .
      </p>
    )}
  </div>
);
