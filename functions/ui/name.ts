import type { Env } from "../lib/http/env.ts";

/** The instance's name on its pages. */
export const siteName = ({ SITE_NAME }: Pick<Env, "SITE_NAME">): string => SITE_NAME || "Soundpost";

/** The sentence that greets visitors. */
export const siteWords = ({ SITE_WORDS }: Pick<Env, "SITE_WORDS">): string =>
  SITE_WORDS || "Share your sound. Hear what others make.";
