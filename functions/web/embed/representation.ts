import * as z from "zod";
import { SHARED } from "../../api/images/formats.ts";
import type { Env } from "../../lib/http/env.ts";
import { type Links, webUrl } from "../../lib/http/links.ts";
import { siteName } from "../../ui/name.ts";
import type { EmbedQuery } from "./input.ts";
import { markup } from "./markup.ts";
import type { Preview } from "./preview.ts";

/** https://oembed.com §2.3.4.4, "rich" */
export const Oembed = z
  .strictObject({
    version: z.literal(1),
    type: z.literal("rich"),
    provider_name: z.string(),
    provider_url: z.url(),
    height: z.int(),
    width: z.union([z.int(), z.literal("100%")]),
    title: z.string(),
    description: z.string().describe("Plain text."),
    thumbnail_url: z.url().describe("JPEG."),
    thumbnail_width: z.int(),
    thumbnail_height: z.int(),
    html: z.string(),
    author_name: z.string(),
    author_url: z.url(),
  })
  .meta({ id: "Oembed" });
export type Oembed = z.infer<typeof Oembed>;

/** CSS pixels. */
export const HEIGHTS = { track: 166, playlist: 450, user: 450 };
const OLDER_HEIGHTS = { track: 81, playlist: 305, user: 305 };

/** The largest thumbnail within the limits, which https://oembed.com §2.3.4 demands, or else the smallest. */
function thumbnailWithin(limits: (number | "100%" | undefined)[]): { format: string; side: number } {
  const most = Math.min(...limits.filter((limit) => typeof limit === "number"));
  const [format, side] = Object.entries(SHARED).find(([, length]) => length <= most) ?? ["mini", SHARED.mini];
  return { format, side };
}

export function representEmbed(
  shown: Preview,
  given: EmbedQuery,
  links: Links & Pick<Env, "SITE_NAME">,
  secretToken?: string,
): Oembed {
  const { kind, title, author } = shown;
  const height = given.maxheight ?? (given.iframe ? HEIGHTS : OLDER_HEIGHTS)[kind];
  const width = given.maxwidth ?? "100%";
  const thumbnail = thumbnailWithin([given.maxwidth, given.maxheight]);
  return {
    version: 1,
    type: "rich",
    provider_name: siteName(links),
    provider_url: webUrl(links, "/"),
    height,
    width,
    title: kind === "user" ? title : `${title} by ${author.username}`,
    description: shown.description,
    thumbnail_url: inFormat(shown.picture, thumbnail.format),
    thumbnail_width: thumbnail.side,
    thumbnail_height: thumbnail.side,
    html: markup(shown, given, { width, height }, links, secretToken),
    author_name: author.username,
    author_url: author.permalink_url,
  };
}

export const inFormat = (picture: string, format: string): string =>
  picture.replace(/-large\.jpg$/, `-${format}.jpg`);
