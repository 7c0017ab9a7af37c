import type { Context } from "hono";
import { findOwnSamples } from "../../../db/queries/sample-ids.ts";
import { deprecationsAt } from "../../lib/http/deprecations.ts";
import type { AppEnv, SignedInViewer } from "../../lib/http/env.ts";
import { apiUrl, webUrl } from "../../lib/http/links.ts";
import type { Routes } from "../../lib/http/route.ts";
import { authorizers, checkScope } from "../../lib/http/viewer.ts";
import { escapeXml } from "../../lib/text/xml.ts";
import { siteName } from "../../ui/name.ts";
import { anchorOf, DeprecationText } from "./deprecations.tsx";
import { asSamples } from "./sample-ids.ts";
import { type GuideText, readText } from "./text.ts";

export const CACHED = "public, max-age=300";

const FEED = "/docs/changelog.xml";
const SAMPLES = "/docs/samples.json";

/** Adds what programs read beside the pages of the docs. */
export function addMachinePages(docs: Routes): void {
  docs.page(FEED, async (c) => {
    const { html } = await readText<GuideText>(c, "docs-changelog.json");
    return c.body(changelogFeed(c, html), 200, {
      "Content-Type": "application/atom+xml; charset=utf-8",
      "Cache-Control": CACHED,
    });
  });

  /** Read by the pages' script. Readers may have no cookie on this host, so a token says who they are. */
  docs.page(SAMPLES, async (c) => {
    authorizers.user(c);
    // The reply names everything that the reader has.
    checkScope(c, "*");
    const found = await findOwnSamples(c.var.db, signedInOf(c));
    return c.json(asSamples(c.env, found), 200, { "Cache-Control": "private, no-store" });
  });

  /** RFC 9727. */
  docs.page("/.well-known/api-catalog", (c) =>
    c.body(JSON.stringify(catalogOf(c)), 200, {
      "Content-Type": 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      "Cache-Control": CACHED,
    }),
  );
}

/** `authorizers.user` has refused everybody else, which the types of a page do not tell. */
const signedInOf = (c: Context<AppEnv>) => c.var.viewer as SignedInViewer;

const catalogOf = ({ env }: Context<AppEnv>) => ({
  linkset: [
    {
      anchor: env.API_URL,
      "service-desc": [{ href: apiUrl(env, "/openapi.json"), type: "application/json" }],
      "service-doc": [
        { href: apiUrl(env, "/docs"), type: "text/html" },
        { href: apiUrl(env, "/llms.txt"), type: "text/markdown" },
      ],
      status: [
        { href: webUrl(env, "/status"), type: "text/html" },
        { href: webUrl(env, "/status.json"), type: "application/json" },
      ],
      "terms-of-service": [{ href: webUrl(env, "/terms"), type: "text/html" }],
    },
  ],
});

interface FeedEntry {
  title: string;
  anchor: string;
  /** A day, in any form that `Date` reads. */
  day: string;
  html: string;
}

/** The changelog in Atom (RFC 4287), an entry for each day and each deprecation, the newest first. */
function changelogFeed({ env }: Context<AppEnv>, html: string): string {
  const page = apiUrl(env, "/docs/changelog");
  const days = [...html.matchAll(/<h2 id="([^"]+)">.*?>([^<]+)<\/a><\/h2>(.*?)(?=<h2 |$)/gs)].map(
    ([, anchor = "", day = "", text = ""]): FeedEntry => ({ title: day, anchor, day, html: text }),
  );
  const deprecations = deprecationsAt(env).map(
    (one): FeedEntry => ({
      title: `Deprecated: ${one.title.replaceAll("`", "")}`,
      anchor: anchorOf(one),
      day: one.since,
      html: DeprecationText({ of: one }).toString(),
    }),
  );
  const entries = [...days, ...deprecations]
    .map((entry) => ({ ...entry, updated: new Date(`${entry.day} UTC`).toISOString() }))
    .sort((a, b) => b.updated.localeCompare(a.updated));
  const written = entries.map(({ title, anchor, updated, html: text }) => {
    const address = escapeXml(`${page}#${anchor}`);
    const absolute = text.replaceAll('href="/', `href="${env.API_URL}/`);
    return `<entry><title>${escapeXml(title)}</title><id>${address}</id><updated>${updated}</updated><link href="${address}"/><content type="html">${escapeXml(absolute)}</content></entry>`;
  });
  const title = `${siteName(env)}: changes of the API`;
  const self = apiUrl(env, FEED);
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${escapeXml(title)}</title><id>${escapeXml(page)}</id><updated>${entries[0]?.updated ?? ""}</updated><author><name>${escapeXml(siteName(env))}</name></author><link href="${escapeXml(page)}"/><link rel="self" href="${escapeXml(self)}"/>${written.join("")}</feed>
`;
}
