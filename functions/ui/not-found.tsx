import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../lib/http/env.ts";
import { notFound } from "../lib/http/errors.ts";
import { webUrl } from "../lib/http/links.ts";
import { isRead } from "../lib/http/methods.ts";
import { nearestTo } from "../lib/text/nearest.ts";
import { OWN_PAGES, type Reader } from "./bar.tsx";
import { Page } from "./layout.tsx";
import { siteName } from "./name.ts";
import { sendPage } from "./policy.ts";

/** Only clients that name HTML get a page. Programs that accept anything get the error object. */
export function prefersPage(c: Context<AppEnv>): boolean {
  const wanted = accepts(c, {
    header: "Accept",
    supports: ["text/html", "application/json", "*/*"],
    default: "application/json",
  });
  return wanted === "text/html";
}

/** The end of a sentence, quote or bracket, as browsers encode it: . , ; : ! ) ' * ] " > ’ ” … » 、 。 」 ！ ） ， ； */
const MARK = String.raw`(?:[.,;:!)'*\]]|%(?:22|3E|5D|E2%80%(?:99|9D|A6)|C2%BB|E3%80%8[12D]|EF%BC%(?:81|89|8C|9B)))`;

/** At most eight. Without a limit, a long run before other characters would take quadratic time. */
const PUNCTUATION = new RegExp(`(?<!${MARK})${MARK}{1,8}$`, "i");

/** Redirects to the path without its trailing slash. Two leading slashes would name a host. */
export function withoutSlash(c: Context<AppEnv>): Response | undefined {
  const { pathname, search } = new URL(c.req.url);
  const [path] = /^(?:\/[^/]+)+(?=\/$)/.exec(pathname) ?? [];
  return isRead(c) && path ? c.redirect(path + search, 302) : undefined;
}

/** Redirects to the path without punctuation that was copied along. Two leading slashes would name a host. */
export function withoutEnd(c: Context<AppEnv>): Response | undefined {
  const { pathname, search } = new URL(c.req.url);
  const [path] = /^(?:\/[^/]+)+(?=\/?$)/.exec(pathname.replace(PUNCTUATION, "")) ?? [];
  return isRead(c) && path && path !== pathname ? c.redirect(path + search, 302) : undefined;
}

/** A page of everybody's whose address is near to this one. It asks nobody, so it tells nothing of what is private. */
function meantPages({ req }: Context<AppEnv>): (readonly [path: string, name: string])[] {
  const pages = [
    ["/discover", "Discover"],
    ["/upload", "Upload"],
    ["/search", "Search"],
    ...OWN_PAGES,
  ] as const;
  const [meant] = nearestTo(
    req.path,
    pages.map(([path]) => path),
  );
  return pages.filter(([path]) => path === meant);
}

/** Looks the same for a missing track and a private one without its secret. */
export function pageNotFound(c: Context<AppEnv>, reader?: Reader): Response {
  if (!prefersPage(c)) return notFound("Page");
  const meant = withoutEnd(c);
  if (meant) return meant;
  const page = (
    <Page env={c.env} title={`Not found · ${siteName(c.env)}`} reader={reader}>
      <section class="card message">
        <p class="eyebrow">404</p>
        <h1>There is nothing here</h1>
        <p>The address may be mistyped, or the page is private or gone.</p>
        {meantPages(c).map(([path, name]) => (
          <p>
            Perhaps you meant <a href={webUrl(c.env, path)}>{name}</a>.
          </p>
        ))}
        <a class="button" href={webUrl(c.env, "/")}>
          To the home page
        </a>
      </section>
    </Page>
  );
  return sendPage(c, page, { status: 404, cacheControl: "no-store", formAction: "'self'", reader });
}
