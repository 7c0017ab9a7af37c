import { Apart } from "../../site/apart.tsx";
import type { Reader } from "../../site/bar.tsx";

/** The base for parsing paths. */
const NOWHERE = "http://nowhere.invalid";

/** Adds the page's own `cursor` to a path of the API, so that both stand at the same place in the list. */
export function withCursor(apiPath: string, pageUrl: string): string {
  const cursor = new URL(pageUrl).searchParams.get("cursor");
  if (cursor === null) return apiPath;
  return `${apiPath}${apiPath.includes("?") ? "&" : "?"}${new URLSearchParams({ cursor })}`;
}

/** The page's path with other parameters. `undefined` takes one away, and the list begins anew. */
export function pathWith(path: string, changes: Record<string, string | undefined>): string {
  const { pathname, searchParams } = new URL(path, NOWHERE);
  for (const [name, value] of Object.entries({ cursor: undefined, ...changes }))
    if (value) searchParams.set(name, value);
    else searchParams.delete(name);
  const query = searchParams.toString();
  return query ? `${pathname}?${query}` : pathname;
}

interface MoreProps {
  reader: Pick<Reader, "path">;
  /** `next_href` of the API's reply. */
  next: string | null | undefined;
}

/** Links to the next page of a list, and back to its beginning. */
export const More = ({ reader: { path }, next }: MoreProps) => {
  const cursor = next && new URL(next).searchParams.get("cursor");
  const isFirst = !new URL(path, NOWHERE).searchParams.has("cursor");
  if (!cursor && isFirst) return null;
  return (
    <nav class="paging" aria-label="Pages">
      <Apart>
        {!isFirst && (
          <a class="button quiet" href={pathWith(path, {})}>
            Back to the beginning
          </a>
        )}
        {cursor && (
          <a class="button quiet" rel="next" href={pathWith(path, { cursor })}>
            More
          </a>
        )}
      </Apart>
    </nav>
  );
};
