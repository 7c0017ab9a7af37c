/**
 * Converts sanitized HTML to plain text, or cuts plain text. Separate from the sanitizer, which browsers need not load.
 */

/** The only entities that the sanitizer writes. */
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** Resolves the entities of sanitized HTML. */
export const unescaped = (clean: string): string =>
  clean.replace(/&(lt|gt|quot|amp);/g, (_, name) => ENTITIES[name] ?? "");

/** Converts plain text to HTML. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Converts sanitized HTML to plain text. */
export const textOf = (clean: string): string =>
  unescaped(
    clean.replace(/<(?:br|\/p|\/li|\/pre|\/blockquote)\b[^>]*>/g, "\n").replace(/<[^>]*>/g, ""),
  ).trim();

/** Converts the beginning of sanitized HTML, which may end within a tag or an entity. */
export const textOfBeginning = (cut: string): string => textOf(cut.replace(/<[^>]*$|&\w{0,5}$/, ""));

/** Cuts plain text to a number of UTF-16 code units. Drops a halved emoji at the end. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** The same with "…" where something was cut. */
export const shortened = (text: string, length: number): string =>
  text.length > length ? `${beginningOf(text, length).trimEnd()}…` : text;

/** Cuts plain text to a number of bytes in UTF-8. Drops a cut character at the end. */
export const beginningInBytes = (text: string, bytes: number): string =>
  new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
    new TextEncoder().encode(text).subarray(0, bytes),
    {
      stream: true,
    },
  );
