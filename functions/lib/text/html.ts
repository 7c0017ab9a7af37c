import sanitize from "sanitize-html";

/** Stored with the HTML. It grows with each change of the rules, so that older HTML can be cleaned again. */
export const SANITIZER_VERSION = 2;

/** Levels. Deeper ones are dropped, because recursive readers could overflow. */
const NESTING_LIMIT = 20;

/** Links are absolute, and lead to web pages or mailboxes. */
const LINK = /^(?:https?:\/\/|mailto:)[^\s\\]+$/i;

const RULES: sanitize.IOptions = {
  allowedTags: "a b strong i em u s br p ul ol li blockquote code pre".split(" "),
  allowedAttributes: { a: ["href", "rel"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  nestingLimit: NESTING_LIMIT,
  // Styles are forbidden anyway.
  parseStyleAttributes: false,
  transformTags: {
    // A link without a valid address becomes a forbidden tag, which leaves its text.
    a: (_, { href = "" }): sanitize.Tag =>
      LINK.test(href.trim())
        ? { tagName: "a", attribs: { href: href.trim(), rel: "nofollow ugc noopener" } }
        : { tagName: "span", attribs: {} },
  },
};

/** Passes until nothing changes. Two suffice for most texts. */
const MAX_PASSES = 5;

/** References such as `&#27;` make control characters, which the text itself may not hold. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;

const cleanOnce = (html: string, rules = RULES) => sanitize(html, rules).replace(CONTROLS, "").trim();

/**
 * Sanitizes user HTML for pages. Dropping a tag can change how the rest is parsed, so passes repeat until
 * nothing changes.
 */
export function sanitizeHtml(html: string): string {
  let clean = html;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = cleanOnce(clean);
    if (next === clean) return clean;
    clean = next;
  }
  return cleanOnce(clean, { ...RULES, allowedTags: [] });
}
