export interface Snippet {
  /** The language of the fence in Markdown. */
  language: string;
  code: string;
}

const NAMES: Record<string, string> = {
  sh: "curl",
  ts: "TypeScript",
  python: "Python",
  json: "JSON",
  html: "HTML",
  text: "Text",
};

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? "&quot;");

/** A name in code, such as `{TRACK_ID}`, that stands for what the reader has, or with `ANY_` for anybody's. */
export const NAMED = /\{(ANY_)?([A-Z]+(?:_[A-Z]+)+)\}/g;

/** In addresses the braces of names are encoded. */
export const withBraces = (text: string): string => text.replace(/%7B(\w+)%7D/g, "{$1}");

/** Scrolls sideways, so keyboards need to focus it. The script fills the reader's own into what is marked. */
const codeOf = ({ language, code }: Snippet): string =>
  `<pre tabindex="0" data-language="${language}"><code>${escaped(code).replace(NAMED, '<var data-sample="$2">$&</var>')}</code></pre>`;

/**
 * Shows the same code in several languages, one at a time. Radio buttons switch without a script. `id` is
 * unique on the page.
 */
export function codeTabs(snippets: readonly Snippet[], id: string): string {
  const [first] = snippets;
  if (!first) return "";
  if (snippets.length === 1) return `<div class="code">${codeOf(first)}</div>`;
  const tabs = snippets.map((snippet, index) => {
    const own = `${id}-${snippet.language}`;
    const checked = index === 0 ? " checked" : "";
    return (
      `<input type="radio" name="${id}" id="${own}" value="${snippet.language}"${checked}>` +
      `<label for="${own}">${NAMES[snippet.language] ?? snippet.language}</label>${codeOf(snippet)}`
    );
  });
  return `<fieldset class="code tabbed"><legend class="sr-only">Language</legend>${tabs.join("")}</fieldset>`;
}
