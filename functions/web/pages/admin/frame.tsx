import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { NotOperator, SecondFactorNeeded, SessionEnded } from "../../../../db/faults.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { isRead } from "../../../lib/http/methods.ts";
import { Apart } from "../../../ui/apart.tsx";
import { readerOf } from "../../../ui/bar.tsx";
import { pageNotFound } from "../../../ui/not-found.tsx";
import { seeOther } from "../../../ui/page.tsx";
import { SentText } from "../../../ui/sent-text.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import {
  clearSiteOperator,
  clearSiteViewer,
  isNotedOperator,
  setSiteOperator,
  siteViewer,
} from "../../../ui/viewer.ts";

/** The sections of the operators' pages. */
const SECTIONS = [
  ["/admin", "Overview"],
  ["/admin/recent", "Recent activity"],
  ["/admin/reports", "Reports"],
  ["/admin/removals", "Removals"],
  ["/admin/users", "Users"],
  ["/admin/incidents", "Incidents"],
  ["/admin/invitations", "Invitations"],
  ["/admin/quotas", "Quotas"],
  ["/admin/tracks", "Tracks"],
  ["/admin/apps", "Apps"],
  ["/admin/jobs", "Jobs"],
  ["/admin/dead-letters", "Dead letters"],
  ["/admin/deliveries", "Deliveries"],
  ["/admin/mails", "Mails"],
  ["/admin/log", "Log"],
] as const;

export type Section = (typeof SECTIONS)[number][0];

interface AdminPage {
  title: string;
  /** Path of the page's section. Without one, the page shows no sections. */
  section?: Section;
  status?: ContentfulStatusCode;
}

/**
 * Sends a page for operators, which no cache stores, not even the browser's for going back, and no search engine lists.
 */
export function showAdmin(
  c: Context<AppEnv>,
  { title, section, status = 200 }: AdminPage,
  body: Child,
): Response {
  c.header("X-Robots-Tag", "noindex");
  noteOperator(c);
  return showSite(
    c,
    {
      title,
      status,
      styles: ["admin.css", "own.css"],
      head: <meta name="turbo-cache-control" content="no-cache" />,
    },
    <div class="admin">
      {section && <Sections section={section} />}
      {body}
    </div>,
  );
}

/** Operators who were made so after they signed in find the way here from now on. */
function noteOperator(c: Context<AppEnv>): void {
  const viewer = siteViewer(c);
  if (viewer && !isNotedOperator(c)) setSiteOperator(c, viewer.userId);
}

const Sections = ({ section }: { section: string }) => (
  <nav class="tabs" aria-label="Operation">
    <Apart>
      {SECTIONS.map(([path, name]) => (
        <a href={path} aria-current={path === section ? "page" : undefined}>
          {name}
        </a>
      ))}
    </Apart>
  </nav>
);

/** Renders errors of the operators' pages. Hides from others that these pages exist. */
export function showAdminError(error: unknown, c: Context<AppEnv>): Response {
  if (error instanceof SessionEnded && siteViewer(c)) clearSiteViewer(c);
  if (error instanceof SessionEnded || error instanceof NotOperator) {
    clearSiteOperator(c);
    return pageNotFound(c, { ...readerOf(c), isOperator: false });
  }
  if (error instanceof SecondFactorNeeded) return askForCode(c);
  return showSiteError(error, c);
}

/** Links to the second factor and back. A form is not sent again, so its sender gets a link. */
function askForCode(c: Context<AppEnv>): Response {
  const { pathname, search } = new URL(c.req.url);
  const next = isRead(c) ? pathname + search : (c.get("formPage") ?? "/admin");
  const enter = `/admin/enter?${new URLSearchParams({ next })}`;
  if (isRead(c)) return seeOther(c, enter);
  const sent = c.get("sentFields");
  return showAdmin(
    c,
    { title: "Enter a code again", status: 401 },
    <section class="card message">
      <h1>Your last code was too long ago</h1>
      <p>Nothing was changed. Enter a code and try again.</p>
      <SentText sent={{ body: sent?.reason || sent?.note || "" }} />
      <a class="button" href={enter}>
        Enter a code
      </a>
    </section>,
  );
}
