import type { Child } from "hono/jsx";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { Cards } from "../rows/card.tsx";
import { pathWith } from "../rows/paging.tsx";
import { PersonCard } from "../rows/person-card.tsx";
import { SetCard } from "../rows/set-card.tsx";
import type { AllFound } from "./search-site.ts";
import { TrackRows } from "./track-rows.tsx";

interface AllResultsProps {
  env: Env;
  reader: Reader;
  /** The page's, with the words that were searched for. */
  path: string;
  found: AllFound;
}

/** The best results of each kind, with links to all of them. */
export const AllResults = ({ env, reader, path, found: { tracks, people, sets } }: AllResultsProps) => (
  <>
    {people.length > 0 && (
      <Part title="People" all="All people" href={pathWith(path, { type: "people" })}>
        <Cards label="People">
          {people.map(({ user, follows }) => (
            <PersonCard env={env} reader={reader} user={user} follows={follows} />
          ))}
        </Cards>
      </Part>
    )}
    {sets.length > 0 && (
      <Part title="Sets" all="All sets" href={pathWith(path, { type: "sets" })}>
        <Cards label="Sets">
          {sets.map((set) => (
            <SetCard set={set} />
          ))}
        </Cards>
      </Part>
    )}
    {tracks.length > 0 && (
      <Part title="Tracks" all="All tracks" href={pathWith(path, { type: "tracks" })}>
        <TrackRows env={env} reader={reader} label="Tracks" tracks={tracks} empty="" />
      </Part>
    )}
  </>
);

interface PartProps {
  title: string;
  /** The page that lists all of them. */
  all?: string;
  href?: string;
  children?: Child;
}

/** A part of a page with its title, and a link beside it. */
export const Part = ({ title, all, href, children }: PartProps) => (
  <section class="part">
    <header class="page-head">
      <h2>{title}</h2>
      {href && <a href={href}>{all}</a>}
    </header>
    {children}
  </section>
);
