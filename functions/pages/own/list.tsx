import type { Child } from "hono/jsx";

/** A page of a list, as the API sends it with `linked_partitioning`. */
export interface Collection<Item> {
  collection: Item[];
  next_href?: string;
}

const PAGES = [
  ["/you/tracks", "Tracks"],
  ["/you/sets", "Sets"],
] as const;

/** Heading and tabs of the pages that list what is one's own. */
export const OwnHead = ({ title, here, children }: { title: string; here: string; children?: Child }) => (
  <>
    <header class="own-head">
      <h1>{title}</h1>
      <div class="own-actions">{children}</div>
    </header>
    <nav class="own-tabs" aria-label="Yours">
      {PAGES.map(([path, name]) => (
        <a href={path} aria-current={path === here ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  </>
);

interface MoreProps {
  /** The page's own path. */
  path: string;
  /** Parameters that stay. */
  query: Record<string, string>;
  nextHref: string | undefined;
}

/** Leads to the list's next page. */
export const More = ({ path, query, nextHref }: MoreProps) => {
  const cursor = nextHref === undefined ? null : new URL(nextHref).searchParams.get("cursor");
  if (cursor === null) return null;
  return (
    <p class="own-more">
      <a class="button quiet" rel="next" href={`${path}?${new URLSearchParams({ ...query, cursor })}`}>
        More
      </a>
    </p>
  );
};
