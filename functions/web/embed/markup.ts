import { type Links, webUrl } from "../../lib/http/links.ts";
import type { EmbedQuery } from "./input.ts";
import type { Preview } from "./preview.ts";

interface Size {
  width: number | "100%";
  height: number;
}

/** Holds only options that differ from the player's defaults. */
export function playerUrl(
  { uri }: Pick<Preview, "uri">,
  { color, auto_play, show_comments }: Partial<EmbedQuery>,
  links: Links,
  secretToken?: string,
): string {
  const query = new URLSearchParams({ url: secretToken ? `${uri}?secret_token=${secretToken}` : uri });
  if (color) query.set("color", color);
  if (auto_play) query.set("auto_play", "true");
  if (show_comments === false) query.set("show_comments", "false");
  return webUrl(links, `/player/?${query}`);
}

/** User texts appear escaped, in attributes. */
export function markup(
  shown: Preview,
  given: EmbedQuery,
  { width, height }: Size,
  links: Links,
  secretToken?: string,
): string {
  const src = attribute(playerUrl(shown, given, links, secretToken));
  const size = `width="${width}" height="${height}"`;
  if (given.iframe) {
    const title = attribute(shown.title);
    return `<iframe ${size} scrolling="no" frameborder="no" allow="autoplay" title="${title}" src="${src}"></iframe>`;
  }
  // The older widget's markup around the same player: Flash no longer runs anywhere.
  const movie = `<param name="movie" value="${src}"></param>`;
  const access = `<param name="allowscriptaccess" value="always"></param>`;
  const embed = `<embed allowscriptaccess="always" ${size} src="${src}" type="text/html"></embed>`;
  return `<object ${size} type="text/html" data="${src}">${movie}${access}${embed}</object>`;
}

const REFERENCES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const attribute = (text: string): string => text.replace(/[&<>"']/g, (char) => REFERENCES[char] ?? char);
