import * as z from "zod";
import type { Env } from "../../lib/http/env.ts";
import { type Links, webUrl } from "../../lib/http/links.ts";
import { SHARED } from "../../lib/pictures/formats.ts";
import { about } from "../../lib/text/fields.ts";
import { siteName } from "../../ui/name.ts";
import type { EmbedQuery } from "./input.ts";
import { markup } from "./markup.ts";
import type { Preview } from "./preview.ts";

/** https://oembed.com §2.3.4.4, "rich" */
export const Oembed = z
  .strictObject({
    version: z.literal(1).meta(about("Version of oEmbed.", 1)),
    type: z.literal("rich").describe("Always `rich`."),
    provider_name: z.string().meta(about("Name of the service.", "Soundpost")),
    provider_url: z.url().meta(about("The site.", "https://soundpost.example/")),
    height: z.int().meta(about("CSS pixels.", 166)),
    width: z.union([z.int(), z.literal("100%")]).meta(about("CSS pixels, or all of the room.", "100%")),
    title: z.string().meta(about("Title and owner, or a user's name alone.", "Night Train by ana")),
    description: z.string().meta(about("Plain text.", "Recorded in one take.")),
    thumbnail_url: z
      .url()
      .meta(about("JPEG, or PNG without artwork.", "https://api.soundpost.example/images/0f3a-t500x500.jpg")),
    thumbnail_width: z.int().meta(about("CSS pixels.", 500)),
    thumbnail_height: z.int().meta(about("CSS pixels.", 500)),
    html: z
      .string()
      .meta(
        about(
          "Markup to put into a page.",
          '<iframe width="100%" height="166" src="https://soundpost.example/player/?url=…"></iframe>',
        ),
      ),
    author_name: z.string().meta(about("Username of the owner.", "ana")),
    author_url: z.url().meta(about("The owner's page.", "https://soundpost.example/ana")),
  })
  .meta({ id: "Oembed" });
export type Oembed = z.infer<typeof Oembed>;

/** CSS pixels. */
export const HEIGHTS = { track: 166, playlist: 450, user: 450 };
const OLDER_HEIGHTS = { track: 81, playlist: 305, user: 305 };

/** The largest thumbnail within the limits, as https://oembed.com §2.3.4 requires, otherwise the smallest. */
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

/** The same picture in another format. The address ends in `large`, of a stored picture or of a drawing. */
export const inFormat = (picture: string, format: string): string =>
  picture.replace(/([-/])large\.(jpg|png)$/, `$1${format}.$2`);
