import { devPage, escapeHtml } from "../dev-page.ts";
import type { Mail } from "./mailbox.ts";

const ADDRESS = /https?:\/\/[^\s<>"'`]+/g;
/** Punctuation after a URL belongs to the sentence. */
const TRAILING = /[.,;:!?)\]}]+$/;

/** Escapes everything and links only http and https. */
export function linkUrls(text: string): string {
  let html = "";
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(TRAILING, "");
    html += `${escapeHtml(text.slice(from, match.index))}<a href="${escapeHtml(address)}" rel="noreferrer">${escapeHtml(address)}</a>`;
    from = match.index + address.length;
  }
  return html + escapeHtml(text.slice(from));
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --quiet: light-dark(#5c6066, #9aa0a8); --link: light-dark(#9a3412, #fdba74); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif;
  background: light-dark(#fbfaf8, #16171a); color: light-dark(#1c1d20, #eceae6); overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; }
.quiet, time { color: var(--quiet); font-size: .875rem; }
a { color: var(--link); }
a:focus-visible { outline: 2px solid; outline-offset: 3px; border-radius: 4px; }
ol { list-style: none; margin: 1.5rem 0 0; padding: 0; }
li { border-top: 1px solid var(--line); }
li a { display: block; padding: .75rem 0; color: inherit; text-decoration: none; }
li a:hover strong { text-decoration: underline; }
li strong { display: block; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .125rem .75rem; margin: 1rem 0; padding: .75rem 0;
  border-block: 1px solid var(--line); font-size: .9375rem; }
dt { color: var(--quiet); } dd { margin: 0; }
pre { white-space: pre-wrap; font: inherit; margin: 0; }
`;

const page = (title: string, body: string) => devPage(title, STYLE, body);

const time = ({ date }: Mail) =>
  `<time datetime="${escapeHtml(date)}">${escapeHtml(date.slice(0, 19).replace("T", " "))} UTC</time>`;
const titleOf = ({ subject }: Mail) => subject.trim() || "(no subject)";

export function mailListPage(mails: readonly Mail[]): string {
  const items = mails.map(
    (mail) => `<li><a href="/dev/mail/${escapeHtml(mail.id)}"><strong>${escapeHtml(titleOf(mail))}</strong>
<span class="quiet">to ${escapeHtml(mail.to)} · ${time(mail)}</span></a></li>`,
  );
  const list =
    items.length > 0 ? `<ol>${items.join("\n")}</ol>` : "<p>No mail yet. Sign up, and it arrives here.</p>";
  return page(
    "Mail",
    `<h1>Mail</h1><p class="quiet">This machine sends none; it keeps it here. Newest first.</p>${list}`,
  );
}

export function mailPage(mail: Mail): string {
  return page(
    titleOf(mail),
    `<p><a href="/dev/mail">All mail</a></p>
<h1>${escapeHtml(titleOf(mail))}</h1>
<dl><dt>To</dt><dd>${escapeHtml(mail.to)}</dd><dt>From</dt><dd>${escapeHtml(mail.from)}</dd><dt>Sent</dt><dd>${time(mail)}</dd>${headersOf(mail)}</dl>
<pre>${linkUrls(mail.text)}</pre>`,
  );
}

const headersOf = ({ headers = {} }: Mail) =>
  Object.entries(headers)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${linkUrls(value)}</dd>`)
    .join("");

export const mailMissingPage = () =>
  page("No such mail", '<h1>No such mail</h1><p><a href="/dev/mail">All mail</a></p>');
