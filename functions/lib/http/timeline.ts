import * as z from "zod";
import type { Moment, TimelinePage } from "../../../db/queries/timelines.ts";
import { about } from "../text/fields.ts";
import { apiUrl, type Links } from "./links.ts";
import { type CursorScope, cursorAt, nextPage, Paging, pageOf, readPosition } from "./paging.ts";

/** The name that older clients use. */
const SINCE = "uuid[to]";

/** Accepted by every list of events. */
export const TimelinePaging = z.object({
  ...Paging.shape,
  linked_partitioning: Paging.shape.linked_partitioning.describe(
    "Accepted as by every list, but the page is always wrapped.",
  ),
  [SINCE]: z.string().optional().describe("Opaque. Take it from `future_href` to list newer items."),
});

/** Always a page, regardless of `linked_partitioning`. */
export const timelineOf = <Item extends z.ZodType>(item: Item, path: string) =>
  pageOf(item, path).extend({
    future_href: z
      .url()
      .meta(
        about(
          "Later returns every newer item, each once.",
          `https://api.soundpost.example/${path}?uuid%5Bto%5D=eyJh`,
        ),
      ),
  });

export const TIMELINE =
  "Newest first, always wrapped. `next_href` leads to older items and is absent on the last page. `future_href` is the same on all pages and later leads to newer items.";

const sinceScope = (scope: CursorScope): CursorScope => ({ ...scope, list: `${scope.list}:since` });

export function readTimeline(
  scope: CursorScope,
  { limit, cursor, [SINCE]: future }: z.output<typeof TimelinePaging>,
): TimelinePage {
  const position = readPosition(scope, cursor);
  const since = readPosition(sinceScope(scope), future, SINCE);
  return { limit, ...(position && JSON.parse(position)), ...(since && { since: JSON.parse(since) }) };
}

interface TimelineEnd {
  /** Position of the page's end; null on the last page. */
  next: number | null;
  /** Moment of the first page, on all pages after it. */
  moment: Moment;
}

/** Makes a page of items. `url` is the request's. */
export function timelinePage<Item>(
  scope: CursorScope,
  items: Item[],
  { next, moment }: TimelineEnd,
  url: string,
  links: Links,
) {
  const following =
    next !== null && nextPage(scope, JSON.stringify({ before: next, until: moment }), url, links);
  return {
    collection: items,
    ...(following && { next_href: following }),
    future_href: futureHref(scope, moment, url, links),
  };
}

function futureHref(scope: CursorScope, moment: Moment, url: string, links: Links): string {
  const { pathname, searchParams } = new URL(url);
  searchParams.delete("cursor");
  searchParams.set(SINCE, cursorAt(sinceScope(scope), JSON.stringify(moment)));
  return `${apiUrl(links, pathname)}?${searchParams}`;
}
