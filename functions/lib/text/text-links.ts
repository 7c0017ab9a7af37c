import { looksLikeId } from "./permalink.ts";
import { escaped, unescaped } from "./plain-text.ts";
import { isReserved } from "./reserved.ts";
import { slug } from "./slug.ts";

/** Links to addresses, people and moments in texts that people wrote, for pages. Stored texts and the API have none. */

export interface LinkTargets {
  /** The site's own. */
  siteUrl: string;
  /** Leads to a moment of the text's track. `undefined` if the track ends before it. */
  momentUrl?: (seconds: number) => string | undefined;
}

/** Scripts that put no blanks between words, so that a link may touch their letters. */
const UNSPACED = ["Han", "Hira", "Kana", "Hang", "Bopo", "Thai", "Laoo", "Khmr", "Mymr"]
  .map((script) => `\\p{scx=${script}}`)
  .join("");

/** A letter or digit that makes another word of what it touches. */
const WORD = `[[\\p{L}\\p{M}\\p{N}_]--[${UNSPACED}]]`;

/** Neither blanks, quotation marks nor invisible characters, nor the punctuation of unspaced scripts. */
const IN_URL = String.raw`[^\s\p{C}<>"\x60\\“”„«»‹›「」『』【】《》〈〉（）［］、。，．！？：；…]`;

const URL_LIKE = `(?:https?://|www\\.(?=[a-z0-9]))(?:(?<![a-z0-9])[${UNSPACED}]|[${IN_URL}--[${UNSPACED}]])+`;

/** Not an address of mail (`me@host`), of a server elsewhere (`@me@host`, `@me.host`, `@me:host`), or a path. */
const NAME = String.raw`(?<![@＠\/])[@＠](?<name>[a-z0-9_\-]{2,64})(?![a-z0-9_\-@＠]|${WORD}|\.\p{L}|:[\w\-]{1,63}\.\w)`;

/** `0:32`, `105:12` or `1:02:03`, perhaps with a fraction; no ratio, version, date's hour or longer row of numbers. */
const CLOCK = String.raw`(?<!\d[.:]|午[前後]?|오[전후] ?|\d{4}-\d\d-\d\d |\d[.\/]\d{4},? )(?<clock>(?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d)(?:\.\d{1,3})?(?!${WORD}|[.:]\d)`;

/** The clock on the wall. */
const OF_DAY = /^ ?(?:[ap]\.?m\b|uhr\b|o['’]clock\b|(?:utc|gmt|[cew]es?t|[ep][sd]t|jst|bst)\b)/i;

const FOUND = new RegExp(`(?<!${WORD})(?:(?<url>${URL_LIKE})|${NAME}|${CLOCK})`, "giv");

interface Link {
  text: string;
  href: string;
  isElsewhere?: boolean;
}

/** Adds links to sanitized HTML, but none within links or code. */
export function linkedHtml(html: string, targets: LinkTargets): string {
  let depth = 0;
  return html
    .split(/(<[^<>]*>)/)
    .map((part) => {
      const [tag, end] = /^<(\/?)(?:a|code|pre)\b/.exec(part) ?? [];
      if (tag) depth += end ? -1 : 1;
      return depth > 0 || part.startsWith("<") ? part : linkedText(unescaped(part), targets);
    })
    .join("");
}

/** Converts plain text to HTML with links. */
export function linkedText(text: string, targets: LinkTargets): string {
  let html = "";
  let end = 0;
  for (const found of text.matchAll(FOUND)) {
    const link = linkTo(found, targets);
    if (!link) continue;
    html += escaped(text.slice(end, found.index)) + anchor(link);
    end = found.index + link.text.length;
  }
  return html + escaped(text.slice(end));
}

// Its direction keeps an address in one piece, and the sign before the name, in a line from right to left.
const anchor = ({ text, href, isElsewhere }: Link) =>
  `<a href="${escaped(href).replaceAll('"', "&quot;")}"${isElsewhere ? ' rel="ugc nofollow noopener"' : ""} dir="ltr">${escaped(text)}</a>`;

function linkTo({ 0: text, groups = {}, index, input }: RegExpExecArray, targets: LinkTargets) {
  const { url, name, clock } = groups;
  if (url) return addressLink(withoutEnd(url), targets);
  if (name) return nameLink(text, name, targets);
  // Zero hours are nobody's time of day.
  const isOfDay = OF_DAY.test(input.slice(index + text.length, index + text.length + 10));
  return clock && (/^0?0:/.test(clock) || !isOfDay) ? momentLink(text, clock, targets) : undefined;
}

/** Only what a browser would read as its reader does: an address with a user's name leads elsewhere than it seems. */
function addressLink(text: string, { siteUrl }: LinkTargets): Link | undefined {
  const href = /^www/i.test(text) ? `https://${text}` : text;
  if (!URL.canParse(href)) return undefined;
  const { origin, hostname, username, password } = new URL(href);
  const isElsewhere = origin !== new URL(siteUrl).origin;
  if (username || password || (isElsewhere && !/[^.]\.[^.]/.test(hostname))) return undefined;
  return { text, href, isElsewhere };
}

/** `120bpm` and the like. */
const QUANTITY = /^\d+(?:[ap]m|bpm|k?hz|kbps|db|x)$/i;

/** Whether somebody has the name is not looked up. A username and its permalink are taken together. */
function nameLink(text: string, name: string, { siteUrl }: LinkTargets): Link | undefined {
  const permalink = slug(name);
  if (permalink.length < 2 || isReserved(permalink) || looksLikeId(permalink) || QUANTITY.test(name))
    return undefined;
  return { text: text.replace(/[-_]+$/, ""), href: `${siteUrl}/${permalink}` };
}

function momentLink(text: string, clock: string, { momentUrl }: LinkTargets): Link | undefined {
  const href = momentUrl?.(clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0));
  return href === undefined ? undefined : { text, href };
}

const OPENERS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

/** Leaves the sentence's punctuation, and brackets that close none of the address. */
function withoutEnd(url: string): string {
  const counts = new Map<string, number>();
  for (const char of url) counts.set(char, (counts.get(char) ?? 0) + 1);
  let end = url.length;
  for (; end > 0; end--) {
    const last = url[end - 1] ?? "";
    const [closed, opened] = [counts.get(last) ?? 0, counts.get(OPENERS[last] ?? "") ?? 0];
    if (last in OPENERS && closed > opened) counts.set(last, closed - 1);
    else if (!/[.,;:!?'’*]/.test(last)) break;
  }
  return url.slice(0, end);
}
