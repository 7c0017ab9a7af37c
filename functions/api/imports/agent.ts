import type { Env } from "../../lib/http/env.ts";

/** Tells other servers who asks, and where to complain. */
export const siteAgent = ({ WEB_URL, SITE_NAME }: Pick<Env, "WEB_URL" | "SITE_NAME">): string =>
  `Soundpost-Imports/1 (${(SITE_NAME ?? "Soundpost").replace(/[^\x20-\x7e]|[()\\]/g, "")}; +${WEB_URL})`;
