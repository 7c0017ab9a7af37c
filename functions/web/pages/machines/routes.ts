import type { Context } from "hono";
import { findSitemapPage, findSitemapPages } from "../../../../db/queries/sitemap.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { cacheFile, findCached } from "../../../lib/http/files/edge-cache.ts";
import { apiUrl, webUrl } from "../../../lib/http/links.ts";
import { Routes } from "../../../lib/http/route.ts";
import { assetUrl } from "../../../ui/assets.ts";
import { siteName } from "../../../ui/name.ts";
import { sitemapIndex, sitemapPage, sitemapPath } from "./sitemap.ts";

/** {web_url}: files that browsers and robots request beside the pages. */
export const machines = new Routes();

const HOUR_S = 3_600;

const send = (c: Context<AppEnv>, text: string, type: string): Response =>
  c.body(text, 200, { "Content-Type": type, "Cache-Control": `public, max-age=${HOUR_S}` });

/**
 * Personal pages, and steps of signing in. A user's permalink may begin with such a word. RFC 9309 §2.2.3: `$` is its
 * end.
 */
const NOT_FOR_ROBOTS = [
  "/you/",
  "/session/",
  "/dev/",
  ...["/settings", "/signin", "/signup"].flatMap((path) => [`${path}$`, `${path}?`, `${path}/`]),
];

machines.page("/robots.txt", (c) => {
  // A trial instance would compete with the real one.
  const isReal = ["production", "local"].includes(c.env.ENVIRONMENT);
  const closed = isReal ? NOT_FOR_ROBOTS : ["/"];
  const lines = ["User-agent: *", ...closed.map((path) => `Disallow: ${path}`)];
  // A sitemap of this host cannot list the guides, which are on the API's host.
  const sitemaps = [webUrl(c.env, "/sitemap.xml"), apiUrl(c.env, "/docs/sitemap.xml")];
  if (isReal) lines.push("", ...sitemaps.map((address) => `Sitemap: ${address}`));
  return send(c, `${lines.join("\n")}\n`, "text/plain; charset=utf-8");
});

/** Key in the data centre's cache. */
const SITEMAP = "sitemap.xml";

/** Entries per page. The protocol allows 50,000. */
const EACH = 10_000;

machines.page("/sitemap.xml", async (c) => {
  const cached = await findCached(c, SITEMAP);
  return send(c, cached ? await cached.reply.text() : await writeIndex(c), "application/xml");
});

/** The statement reads whole indexes, so a large sitemap is written once an hour. */
async function writeIndex(c: Context<AppEnv>): Promise<string> {
  const pages = await findSitemapPages(c.var.db.forVisitors(), EACH);
  const index = sitemapIndex(c.env, pages);
  const isLarge = Object.values(pages).some(({ length }) => length > 1);
  if (isLarge) cacheFile(c, SITEMAP, new TextEncoder().encode(index), HOUR_S);
  return index;
}

machines.page("/sitemaps/:name.xml", async (c) => {
  const { name = "" }: Record<string, string> = c.req.param();
  const path = sitemapPath(name) ?? notFound("Sitemap");
  const entries = await findSitemapPage(c.var.db.forVisitors(), path.kind, path.key, EACH);
  return send(c, sitemapPage(c.env, entries), "application/xml");
});

/** A press that is held on the installed site's icon offers them. */
const SHORTCUTS = [
  ["Discover", "/discover"],
  ["Library", "/you/library"],
  ["Upload", "/upload"],
] as const;

machines.page("/manifest.webmanifest", (c) => {
  const icon = (name: string, side: number, purpose: string) => ({
    src: assetUrl(c.env, name),
    sizes: `${side}x${side}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    name: siteName(c.env),
    short_name: siteName(c.env),
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    categories: ["music", "entertainment"],
    background_color: "#fbfaf7",
    theme_color: "#0b6b5b",
    shortcuts: SHORTCUTS.map(([name, url]) => ({
      name,
      url,
      icons: [icon("icon-192.png", 192, "any")],
    })),
    icons: [
      icon("icon-192.png", 192, "any"),
      icon("icon-512.png", 512, "any"),
      icon("icon-maskable-512.png", 512, "maskable"),
    ],
  };
  return send(c, JSON.stringify(manifest), "application/manifest+json");
});

/** Programs that do not parse the page request this path. */
machines.page("/favicon.ico", (c) => {
  c.header("Cache-Control", `public, max-age=${HOUR_S}`);
  return c.redirect(assetUrl(c.env, "icon-48.png"), 302);
});

/** Days until the file expires. RFC 9116 §2.5.5 advises less than a year. */
const SECURITY_DAYS = 90;

machines.page("/.well-known/security.txt", (c) => {
  const contact = c.env.SECURITY_CONTACT || notFound("Contact for security");
  const expires = new Date(Date.now() + SECURITY_DAYS * 86_400_000).toISOString();
  const address = contact.includes(":") ? contact : `mailto:${contact}`;
  const canonical = webUrl(c.env, "/.well-known/security.txt");
  const lines = [`Contact: ${address}`, `Expires: ${expires}`, `Canonical: ${canonical}`];
  return send(c, `${lines.join("\n")}\n`, "text/plain; charset=utf-8");
});
