import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv, Env } from "../lib/http/env.ts";
import { KEEPS_OPENER, LOADABLE } from "../lib/http/security-headers.ts";
import type { Reader } from "./bar.tsx";
import { tellWorker } from "./offline.ts";

/** Forbids inline scripts and styles, so that markup injected through a title would not run. */
function contentSecurityPolicy(
  env: Pick<Env, "API_URL" | "WEB_URL" | "S3_ENDPOINT" | "OBJECTS_URL">,
  formAction: string,
  { framed, reader, widget }: Pick<PageReply, "framed" | "reader" | "widget">,
): string {
  const own = [...new Set(["'self'", new URL(env.WEB_URL).origin])].join(" ");
  const ownAndApi = [...new Set([...own.split(" "), new URL(env.API_URL).origin])].join(" ");
  // All pages of the site share one policy, because the browser keeps the first page's.
  const uploads = reader ? ` ${new URL(env.OBJECTS_URL ?? env.S3_ENDPOINT).origin}` : "";
  // Turbo adds one style sheet of its own.
  const styles = reader ? ` 'nonce-${reader.styleNonce}'` : "";
  return [
    "default-src 'none'",
    `script-src ${own}${widget ? ` ${widget}` : ""}`,
    ...(widget ? [`frame-src ${widget}`] : []),
    `style-src ${own}${styles}`,
    `font-src ${own}`,
    `img-src ${ownAndApi}${reader ? " blob:" : ""}`,
    // hls.js plays through a blob.
    `media-src ${ownAndApi} blob:`,
    `connect-src ${ownAndApi}${uploads}`,
    ...(reader ? [`manifest-src ${own}`, "worker-src 'self'"] : []),
    `frame-ancestors ${framed ? "*" : "'none'"}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join("; ");
}

const withSearch = ({ WEB_URL }: Pick<Env, "WEB_URL">, formAction: string): string =>
  [...new Set([...formAction.split(" "), new URL(WEB_URL).origin])].join(" ");

const NO_FORMS = "'none'";

interface PageReply {
  status?: ContentfulStatusCode;
  cacheControl: string;
  /** Sources that forms may lead to, redirects included: browsers check those too. */
  formAction?: string;
  /** Whether any site may frame the page. */
  framed?: boolean;
  /** Set for pages of the site. They upload to storage and show chosen pictures. */
  reader?: Reader | undefined;
  /** Origin of another's script and frame on the page. */
  widget?: string | undefined;
  /** Whether a pop-up visits the page on its way to an app. */
  keepsOpener?: boolean;
  /** Whether it has the search at its top, which leads to the site. Default: whether it has forms. */
  hasSearch?: boolean;
}

/** Sends a page with its policy. */
export function sendPage(
  c: Context<AppEnv>,
  page: unknown,
  {
    status = 200,
    cacheControl,
    formAction = NO_FORMS,
    framed = false,
    reader,
    widget,
    keepsOpener = false,
    hasSearch = formAction !== NO_FORMS,
  }: PageReply,
): Response {
  c.header(
    "Content-Security-Policy",
    contentSecurityPolicy(c.env, hasSearch ? withSearch(c.env, formAction) : formAction, {
      framed,
      reader,
      widget,
    }),
  );
  if (framed) c.header(...LOADABLE);
  else c.header("X-Frame-Options", "DENY");
  if (keepsOpener) c.header(...KEEPS_OPENER);
  if (reader) tellWorker(c, status);
  c.header("Cache-Control", cacheControl);
  return c.html(`<!doctype html>${page}`, status);
}
