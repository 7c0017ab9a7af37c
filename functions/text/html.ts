import sanitize from "sanitize-html";

/** Stored beside what was let through: grows with each change of the rules, so that older text can be gone over again. */
export const SANITIZER_VERSION = 1;

/** Levels. Deeper ones are dropped, for readers of the text nest as deep as it does. */
const NESTING_LIMIT = 20;

/** Nothing relative, no other scheme: a link in a text leads away, or to a mailbox. */
const LINK = /^(?:https?:\/\/|mailto:)[^\s\\]+$/i;

const RULES: sanitize.IOptions = {
  allowedTags: "a b strong i em u s br p ul ol li blockquote code pre".split(" "),
  allowedAttributes: { a: ["href", "rel"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  nestingLimit: NESTING_LIMIT,
  // Styles are not allowed at all, so nothing need read them.
  parseStyleAttributes: false,
  transformTags: {
    // A link that leads nowhere becomes a tag that is not allowed: only its text stays.
    a: (_, { href = "" }): sanitize.Tag =>
      LINK.test(href.trim())
        ? { tagName: "a", attribs: { href: href.trim(), rel: "nofollow ugc noopener" } }
        : { tagName: "span", attribs: {} },
  },
};

/** Passes until nothing changes any more; two are enough for most. */
const MAX_PASSES = 5;

/**
 * HTML that people wrote, as pages may show it: what is not allowed is dropped, its text kept where it is text. A tag
 * that went may have held others in place, so what is left is read again until it is its own result.
 */
export function sanitizeHtml(html: string): string {
  let clean = html;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = sanitize(clean, RULES).trim();
    if (next === clean) return clean;
    clean = next;
  }
  return sanitize(clean, { ...RULES, allowedTags: [] }).trim();
}

/** The only ones that the sanitizer writes. */
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };

/** What cleaned HTML says, as plain text. */
export const textOf = (clean: string): string =>
  clean
    .replace(/<(?:br|\/p|\/li|\/pre|\/blockquote)\b[^>]*>/g, "\n")
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|quot|amp);/g, (_, name) => ENTITIES[name] ?? "")
    .trim();
