import { escaped, textOf } from "./plain-text.ts";

/** Descriptions are HTML. People write them as text, or as HTML if they wish. */

/** Excludes `<` within a tag, or the search would take quadratic time. */
const MARKUP = /<\/?[a-z][^<>]*>/i;

/** Only paragraphs and line breaks, which plain text can express. */
const PLAIN = /^(?:[^<]|<p>|<\/p>|<br \/>)*$/;

/** Returns the text for a field that edits sanitized HTML: plain if it loses nothing, otherwise the HTML. */
export function writtenOf(html: string): string {
  if (!PLAIN.test(html)) return html;
  const text = textOf(html.replace(/<\/p>\s*(?=<p>)/g, "</p>\n"));
  if (!MARKUP.test(text)) return text;
  // Text that looks like a tag must stay HTML. The added tag marks it as such.
  return MARKUP.test(html) ? html : `<p>${html}</p>`;
}

/** Converts a field's text to HTML. Text with markup is HTML already. */
export function htmlOf(written: string): string {
  const text = written.replace(/\r\n?/g, "\n").trim();
  if (MARKUP.test(text)) return text;
  const paragraphs = escaped(text)
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", "<br />"));
  return paragraphs.length > 1 ? paragraphs.map((each) => `<p>${each}</p>`).join("") : paragraphs.join("");
}
