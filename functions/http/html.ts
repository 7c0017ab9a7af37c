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

/** HTML that people wrote, as pages may show it: what is not allowed is dropped, its text kept where it is text. */
export const sanitizeHtml = (html: string): string => sanitize(html, RULES).trim();
