import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv, Env } from "../http/env.ts";
import { ISOLATED } from "../http/security-headers.ts";

/** No inline script or style anywhere: a title that is markup stays text, and if it did not, it would not run. */
function contentSecurityPolicy(
  env: Pick<Env, "API_URL" | "WEB_URL">,
  formAction: string,
  framed: boolean,
): string {
  const own = [...new Set(["'self'", new URL(env.WEB_URL).origin])].join(" ");
  const ownAndApi = [...new Set([...own.split(" "), new URL(env.API_URL).origin])].join(" ");
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}`,
    `img-src ${ownAndApi}`,
    // hls.js plays through a blob.
    `media-src ${ownAndApi} blob:`,
    `connect-src ${ownAndApi}`,
    `frame-ancestors ${framed ? "*" : "'none'"}`,
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join("; ");
}

interface PageReply {
  status?: ContentfulStatusCode;
  cacheControl: string;
  /** Where forms of the page may lead, redirects included: browsers hold them against it. */
  formAction?: string;
  /** Whether pages of anybody may show it in a frame. */
  framed?: boolean;
  /** Of one's own account: what other sites load gets nothing of it. */
  isolated?: boolean;
  /** Without a handle to the window that opened it, nor the other way. A pop-up on its way to an app needs it. */
  alone?: boolean;
}

/** Sends a page under its policy. */
export function sendPage(
  c: Context<AppEnv>,
  page: unknown,
  { status = 200, cacheControl, formAction = "'none'", framed = false, ...more }: PageReply,
): Response {
  c.header("Content-Security-Policy", contentSecurityPolicy(c.env, formAction, framed));
  if (!framed) c.header("X-Frame-Options", "DENY");
  if (more.isolated) c.header(...ISOLATED);
  if (more.alone) c.header("Cross-Origin-Opener-Policy", "same-origin");
  c.header("Cache-Control", cacheControl);
  return c.html(`<!doctype html>${page}`, status);
}
