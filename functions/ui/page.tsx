import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../lib/http/env.ts";
import { CONFIRMATION_NEEDED, explainError } from "../lib/http/errors.ts";
import { isRead } from "../lib/http/methods.ts";
import { accountReader } from "./bar.tsx";
import { Page } from "./layout.tsx";
import { siteName } from "./name.ts";
import { sendPage } from "./policy.ts";
import { SentText } from "./sent-text.tsx";

interface Shown {
  title: string;
  status?: ContentfulStatusCode;
  /** Sources that forms may lead to. Default: this host. */
  formAction?: string;
  /** Origin of a widget that is not ours. */
  widget?: string | undefined;
  /** Rendered below the card. */
  beside?: Child;
  body: Child;
}

/** Policy of forms that stay on this host. */
const OWN_FORMS = "'self'";

/** Sends a page for one browser: uncached, unframed, with forms that stay on this host. */
export const showPage = (
  c: Context<AppEnv>,
  title: string,
  body: Child,
  status: ContentfulStatusCode = 200,
  formAction = OWN_FORMS,
  keepsOpener = formAction !== OWN_FORMS,
  widget?: string,
) =>
  sendPage(
    c,
    <Page
      env={c.env}
      account={accountReader(c)}
      title={`${status >= 400 ? "Error: " : ""}${title} · ${siteName(c.env)}`}
    >
      {body}
    </Page>,
    { status, cacheControl: "no-store", formAction, keepsOpener, widget },
  );

/** Sends a narrow card with a form or a few words. */
export const showCard = (
  c: Context<AppEnv>,
  { title, status, formAction, widget, beside, body }: Shown,
): Response =>
  showPage(
    c,
    title,
    <div class="narrow">
      <section class="card account">
        <h1>{title}</h1>
        {body}
      </section>
      {beside && <p class="beside">{beside}</p>}
    </div>,
    status,
    formAction,
    undefined,
    widget,
  );

/** Always 303, so that no browser resubmits a form. `path` is on this host, or one of our URLs. */
export const seeOther = (c: Context<AppEnv>, path: string): Response => {
  c.header("Cache-Control", "no-store");
  return c.redirect(path, 303);
};

function titleOf(c: Context<AppEnv>, status: number, type: string | undefined): string {
  if (type === CONFIRMATION_NEEDED) return "Confirm your e-mail address first";
  return (isRead(c) && status === 403 ? undefined : TITLES[status]) ?? "That did not work";
}

const TITLES: Record<number, string> = {
  403: "That form cannot be sent",
  429: "Too many attempts",
  503: "Not available just now",
  504: "Not available just now",
};

interface WayOn {
  href: string;
  words: string;
}

/** Renders any error as a page, because only browsers come here. */
export function showError(
  error: unknown,
  c: Context<AppEnv>,
  wayOn: WayOn = { href: `${c.env.AUTH_URL}/settings`, words: "To your account" },
): Response {
  const { status, causes, type, headers } = explainError(error, c);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  return showCard(c, {
    title: titleOf(c, status, type),
    status,
    body: (
      <>
        {causes.map((cause) => (
          <p>{cause}</p>
        ))}
        <SentText sent={c.get("sentFields")} />
        <a class="button quiet" href={wayOn.href}>
          {wayOn.words}
        </a>
        {status >= 500 && <p class="hint">Request {c.var.requestId}</p>}
      </>
    ),
  });
}
