import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";

const SitemapPages = () =>
  z.strictObject({
    /** User and track. */
    tracks: z.array(z.tuple([z.number(), z.number()])),
    users: z.array(z.number()),
    sets: z.array(z.number()),
  });
export type SitemapPages = ReplyOf<typeof SitemapPages>;

export type SitemapKind = keyof SitemapPages;

/** First keys of the pages, which have `each` entries. */
export const findSitemapPages = (db: Database, each: number) =>
  db.call("sitemap_pages", SitemapPages, { each });

/** Begins with the track, user or set of this key. */
export const findSitemapPage = (
  db: Database,
  kind: SitemapKind,
  key: { user: number | null; id: number | null },
  each: number,
) =>
  db.call("sitemap_page", () => z.array(z.strictObject({ path: z.string(), updated_at: z.string() })), {
    kind,
    ...key,
    each,
  });
