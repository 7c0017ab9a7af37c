import type { SitemapKind, SitemapPages } from "../../../../db/queries/sitemap.ts";
import { type Links, webUrl } from "../../../lib/http/links.ts";
import { sitemap } from "../../../lib/text/sitemap.ts";
import { escapeXml } from "../../../lib/text/xml.ts";

export const sitemapIndex = (links: Links, { tracks, users, sets }: SitemapPages): string =>
  sitemap(
    "sitemapindex",
    [
      ...tracks.map(({ user, id }) => `tracks-${user}-${id}`),
      ...users.map((user) => `users-${user}`),
      ...sets.map((id) => `sets-${id}`),
    ].map((name) => `<sitemap><loc>${escapeXml(webUrl(links, `/sitemaps/${name}.xml`))}</loc></sitemap>`),
  );

interface SitemapPath {
  kind: SitemapKind;
  /** First key of the page. */
  key: { user: number | null; id: number | null };
}

const NAME = /^(?:tracks-(\d{1,16})-(\d{1,16})|users-(\d{1,16})|sets-(\d{1,16}))\.xml$/;

/** Parses a page's name. */
export function sitemapPath(name: string): SitemapPath | undefined {
  const [found, user, track, only, set] = NAME.exec(name) ?? [];
  if (found === undefined) return undefined;
  if (set !== undefined) return { kind: "sets", key: { user: null, id: Number(set) } };
  if (only !== undefined) return { kind: "users", key: { user: Number(only), id: null } };
  return { kind: "tracks", key: { user: Number(user), id: Number(track) } };
}

export const sitemapPage = (links: Links, entries: { path: string; updated_at: string }[]): string =>
  sitemap(
    "urlset",
    entries.map(({ path, updated_at }) => {
      const changed = new Date(updated_at).toISOString();
      return `<url><loc>${escapeXml(webUrl(links, `/${path}`))}</loc><lastmod>${changed}</lastmod></url>`;
    }),
  );
