/** Characters that XML 1.0 cannot hold even escaped: §2.2 "Char". Lone surrogates are among them. */
const NO_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

// Parsers would read a bare carriage return as a line feed.
const REFERENCES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\r": "&#13;",
};

/** Escapes text for elements and attributes, and drops what XML cannot hold. */
export const escapeXml = (text: string): string =>
  text.replace(NO_XML, "").replace(/[&<>"'\r]/g, (char) => REFERENCES[char] ?? char);
