import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { isId } from "../../../lib/text/fields.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";

/** The base for parsing paths. */
export const NOWHERE = "http://nowhere.invalid";

/** Adds the page's own `cursor` to an API path, so that both are at the same position in the list. */
export function withCursor(apiPath: string, pageUrl: string): string {
  const cursor = new URL(pageUrl).searchParams.get("cursor");
  if (cursor === null) return apiPath;
  return `${apiPath}${apiPath.includes("?") ? "&" : "?"}${new URLSearchParams({ cursor })}`;
}

/** The page's path with changed parameters. `undefined` removes one. The list starts over. */
export function pathWith(path: string, changes: Record<string, string | undefined>): string {
  const { pathname, searchParams } = new URL(path, NOWHERE);
  for (const [name, value] of Object.entries({ cursor: undefined, ...changes }))
    if (value) searchParams.set(name, value);
    else searchParams.delete(name);
  const query = searchParams.toString();
  return query ? `${pathname}?${query}` : pathname;
}

/** Leads to a moment of the track that the page shows. Its script plays from there without leaving the page. */
export const momentPath = ({ path }: Pick<Reader, "path">, seconds: number): string =>
  pathWith(path, { t: String(seconds) });

interface ListNavProps {
  reader: Pick<Reader, "path">;
  /** The `cursor` of the next page; null at the end. */
  next: string | number | null | undefined;
  /** Fragment of the list on the page. */
  anchor?: string;
  /** Names the list. */
  label: string;
}

/** Links to a list's next page and back to its first. */
export const ListNav = ({ reader: { path }, next, anchor = "", label }: ListNavProps) => {
  const isFirst = !new URL(path, NOWHERE).searchParams.has("cursor");
  if (!next && isFirst) return null;
  return (
    <nav class="paging" aria-label={label}>
      <Apart>
        {!isFirst && (
          <a class="button quiet" href={pathWith(path, {}) + anchor}>
            Back to the beginning
          </a>
        )}
        {next && (
          <a class="button quiet" rel="next" href={pathWith(path, { cursor: String(next) }) + anchor}>
            More
          </a>
        )}
      </Apart>
    </nav>
  );
};

/** The position in a list that the database pages. `undefined` at its beginning. */
export const placeIn = (c: Context<AppEnv>): number | undefined => idIn(c, "cursor");

/** An id in the page's query. `undefined` if there is none. */
export function idIn(c: Context<AppEnv>, name: string): number | undefined {
  const text = c.req.query(name);
  return isId(text) ? Number(text) : undefined;
}

interface MoreProps {
  reader: Pick<Reader, "path">;
  /** `next_href` of the API's reply. */
  next: string | null | undefined;
}

/** The same for an API list. */
export const More = ({ reader, next }: MoreProps) => (
  <ListNav reader={reader} next={next && new URL(next).searchParams.get("cursor")} label="Pages" />
);
