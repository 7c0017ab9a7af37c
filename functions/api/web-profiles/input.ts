import * as z from "zod";
import type { WebProfileFields } from "../../../db/queries/web-profiles.ts";
import { about } from "../../lib/text/fields.ts";
import { line } from "../users/account-input.ts";
import { isWebAddress } from "../users/settings-input.ts";

const MAX_PROFILES = 20;
/** Short enough for an index. */
const MAX_URL_CHARS = 500;

/** Services by host. Any other URL is a personal site. */
const SERVICES: Record<string, string> = {
  "bandcamp.com": "bandcamp",
  "discogs.com": "discogs",
  "facebook.com": "facebook",
  "instagram.com": "instagram",
  "mixcloud.com": "mixcloud",
  "spotify.com": "spotify",
  "tiktok.com": "tiktok",
  "twitch.tv": "twitch",
  "twitter.com": "twitter",
  "x.com": "twitter",
  "youtube.com": "youtube",
};

const serviceOf = (url: string): string =>
  SERVICES[new URL(url).hostname.split(".").slice(-2).join(".")] ?? "personal";

const optional = (max: number) =>
  line(max)
    .nullish()
    .transform((value) => value || null);

const WebProfileInput = z
  .object({
    url: line(MAX_URL_CHARS)
      .refine(isWebAddress, "must be a complete address such as https://example.com")
      .meta(about("Complete address.", "https://twitter.example/ana")),
    service: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, "must consist of a–z, 0–9, - and _")
      .nullish()
      .meta(about("Default: derived from the address; `personal` if that is unknown.", "twitter")),
    title: optional(100).meta(about("Label of the link.", "My songs")),
    username: optional(100).meta(about("The user's name at the service.", "ana")),
  })
  .transform(
    ({ service, ...given }): WebProfileFields => ({ ...given, service: service ?? serviceOf(given.url) }),
  );

export const WebProfilesBody = z
  .object({
    web_profiles: z
      .array(WebProfileInput)
      .max(MAX_PROFILES, `may hold ${MAX_PROFILES} at most`)
      .superRefine((profiles, ctx) => {
        const urls = profiles.map(({ url }) => url);
        for (const [at, url] of urls.entries())
          if (urls.indexOf(url) < at)
            ctx.addIssue({ code: "custom", path: [at, "url"], message: "must not repeat another address" });
      })
      .describe("All of them, in the order to show. Replaces the present list."),
  })
  .meta({ id: "WebProfiles" });
