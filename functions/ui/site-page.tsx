import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../lib/http/env.ts";
import { CONFIRMATION_NEEDED, explainError } from "../lib/http/errors.ts";
import { isRead } from "../lib/http/methods.ts";
import { type Reader, readerOf } from "./bar.tsx";
import { SenderSignedOut } from "./form-guard.ts";
import { readPath } from "./form-page.ts";
import { Page } from "./layout.tsx";
import { siteName } from "./name.ts";
import { pageNotFound } from "./not-found.tsx";
import { ApiRefusal, SignInNeeded } from "./own-api.ts";
import { seeOther } from "./page.tsx";
import { sendPage } from "./policy.ts";
import { SentText } from "./sent-text.tsx";

interface SitePage {
  title: string;
  status?: ContentfulStatusCode;
  /** Shown by search engines. */
  description?: string;
  head?: Child;
  /** File names of our own stylesheets besides the site's. */
  styles?: string[];
  /** File names of our own scripts besides the site's. */
  scripts?: string[];
  /** Sources that forms may lead to. */
  formAction?: string;
  /** Default: made from the request. */
  reader?: Reader;
}

/** Sends a page of the site. It shows who is signed in, so no cache keeps it. */
export const showSite = (
  c: Context<AppEnv>,
  { title, status = 200, description, head, reader = readerOf(c), formAction = "'self'", ...frame }: SitePage,
  body: Child,
): Response =>
  sendPage(
    c,
    <Page
      env={c.env}
      title={`${title} · ${siteName(c.env)}`}
      reader={reader}
      head={
        <>
          {description && <meta name="description" content={description} />}
          {head}
        </>
      }
      {...frame}
    >
      {body}
    </Page>,
    { status, cacheControl: "private, no-store", formAction, reader },
  );

/** Renders errors of the site's pages and forms. */
export function showSiteError(error: unknown, c: Context<AppEnv>): Response {
  if (error instanceof SignInNeeded || error instanceof SenderSignedOut) return askToSignIn(c);
  const { status, causes, type, headers } =
    error instanceof ApiRefusal ? { ...error, headers: {} } : explainError(error, c);
  if (status === 404) return pageNotFound(c, readerOf(c));
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const awaits = type === CONFIRMATION_NEEDED;
  const title = awaits ? "Confirm your e-mail address first" : "That did not work";
  return showSite(
    c,
    { title, status },
    <section class="card message">
      <h1>{title}</h1>
      {awaits ? (
        <p>We have mailed you a link. Open it, and come back to do this.</p>
      ) : (
        causes.map((cause) => <p>{cause}</p>)
      )}
      <SentText sent={c.get("sentFields")} />
      {awaits ? (
        <a class="button" href={`${c.env.AUTH_URL}/settings#email`} data-turbo="false">
          Send the mail again
        </a>
      ) : (
        <WayOn c={c} status={status} />
      )}
      {status >= 500 && <p class="hint">Request {c.var.requestId}</p>}
    </section>,
  );
}

/** A failed page may load the next time. A refused one would be refused again. */
const WayOn = ({ c, status }: { c: Context<AppEnv>; status: number }) => {
  const [href, words] = !isRead(c)
    ? [readPath(c), "Back"]
    : status >= 500 || status === 429
      ? [readPath(c), "Try again"]
      : ["/", "To the home page"];
  return (
    <a class="button" href={href}>
      {words}
    </a>
  );
};

/** Links to the sign-in and back. A form may not redirect to another host, so its sender gets a link. */
function askToSignIn(c: Context<AppEnv>): Response {
  const signIn = `/session/new?${new URLSearchParams({ next: readPath(c) })}`;
  if (isRead(c)) return seeOther(c, signIn);
  return showSite(
    c,
    { title: "Sign in again", status: 401 },
    <section class="card message">
      <h1>You are no longer signed in</h1>
      <p>Nothing was changed. Sign in and try again.</p>
      <SentText sent={c.get("sentFields")} />
      <a class="button" href={signIn} data-turbo="false">
        Sign in
      </a>
    </section>,
  );
}
