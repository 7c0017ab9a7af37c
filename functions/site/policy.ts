import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv, Env } from "../http/env.ts";
import { ISOLATED } from "../http/security-headers.ts";
import type { Reader } from "./bar.tsx";

/** Forbids inline scripts and styles: even markup that slipped into a title would not run. */
function contentSecurityPolicy(
  env: Pick<Env, "API_URL" | "WEB_URL" | "S3_ENDPOINT" | "OBJECTS_URL">,
  formAction: string,
  { framed, reader }: Pick<PageReply, "framed" | "reader">,
): string {
  const own = [...new Set(["'self'", new URL(env.WEB_URL).origin])].join(" ");
  const ownAndApi = [...new Set([...own.split(" "), new URL(env.API_URL).origin])].join(" ");
  // All pages of the site share one policy, because the browser keeps the first page's.
  const uploads = reader ? ` ${new URL(env.OBJECTS_URL ?? env.S3_ENDPOINT).origin}` : "";
  // Turbo adds one style sheet of its own.
  const styles = reader ? ` 'nonce-${reader.styleNonce}'` : "";
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}${styles}`,
    `img-src ${ownAndApi}${reader ? " blob:" : ""}`,
    // hls.js plays through a blob.
    `media-src ${ownAndApi} blob:`,
    `connect-src ${ownAndApi}${uploads}`,
    ...(reader ? [`manifest-src ${own}`] : []),
    `frame-ancestors ${framed ? "*" : "'none'"}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join("; ");
}

interface PageReply {
  status?: ContentfulStatusCode;
  cacheControl: string;
  /** Where forms may lead, redirects included: browsers check those too. */
  formAction?: string;
  /** Whether any site may frame the page. */
  framed?: boolean;
  /** Pages of the site have one. They upload to storage and show chosen pictures. */
  reader?: Reader | undefined;
  /** Account pages, which other sites cannot load at all. */
  isolated?: boolean;
  /** Cuts the link to the window that opened the page. A pop-up on its way to an app needs that link. */
  alone?: boolean;
}

/** Sends a page with its policy. */
export function sendPage(
  c: Context<AppEnv>,
  page: unknown,
  { status = 200, cacheControl, formAction = "'none'", framed = false, reader, ...more }: PageReply,
): Response {
  c.header("Content-Security-Policy", contentSecurityPolicy(c.env, formAction, { framed, reader }));
  if (!framed) c.header("X-Frame-Options", "DENY");
  if (more.isolated) c.header(...ISOLATED);
  if (more.alone) c.header("Cross-Origin-Opener-Policy", "same-origin");
  c.header("Cache-Control", cacheControl);
  return c.html(`<!doctype html>${page}`, status);
}
