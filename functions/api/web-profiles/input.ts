import * as z from "zod";
import type { WebProfileFields } from "../../../db/queries/web-profiles.ts";
import { line } from "../users/account-input.ts";
import { isWebAddress } from "../users/settings-input.ts";

const MAX_PROFILES = 20;
/** Short enough for an index. */
const MAX_URL_CHARS = 500;

/** Services by host. Any other address is a personal site. */
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
    url: line(MAX_URL_CHARS).refine(isWebAddress, "must be a complete address such as https://example.com"),
    service: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, "must consist of a–z, 0–9, - and _")
      .nullish()
      .describe("Default: derived from the address; `personal` if that is unknown."),
    title: optional(100).meta({ description: "Label of the link.", examples: ["My songs"] }),
    username: optional(100).describe("The user's name at the service."),
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
      }),
  })
  .meta({ id: "WebProfiles" });
