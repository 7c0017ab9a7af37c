import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { codeTabs, type Snippet, withBraces } from "../../functions/web/docs/code-tabs.ts";
import { runnable } from "../../functions/web/docs/guide-requests.ts";
import type { GuideText, Section } from "../../functions/web/docs/text.ts";

const GUIDES = "functions/web/docs/guides";

/** Renders the guides of `/docs` to files that the Worker reads beside it. Fills in names such as `{client_version}`. */
export function renderGuides(
  projectDir: string,
  values: Record<string, string>,
): [name: string, content: Buffer][] {
  const folder = join(projectDir, GUIDES);
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const guides = names.map((name): [string, GuideText] => [
    name.replace(/\.md$/, ""),
    renderGuide(filledIn(readFileSync(join(folder, name), "utf8"), values)),
  ]);
  const index = guides.flatMap(([page, { sections }]) => sections.map((section) => ({ page, ...section })));
  return [...guides, ["index", index] as const].map(([name, content]) => [
    `docs-${name}.json`,
    Buffer.from(JSON.stringify(content)),
  ]);
}

/** The Worker fills in its addresses. */
const filledIn = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

function renderGuide(markdown: string): GuideText {
  const marked = new Marked({ gfm: true });
  const used = new Map<string, number>();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = unique(anchorOf(text), used);
        return `<h${depth} id="${id}"><a class="heading" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
      },
      code: ({ text, lang }) => codeTabs([{ language: lang ?? "text", code: text }], "code"),
      // Wide tables scroll by themselves.
      table(token) {
        const rows = [token.header, ...token.rows].map((row, index) => {
          const cells = row.map((cell) => {
            const inner = this.parser.parseInline(cell.tokens);
            return index ? `<td>${inner}</td>` : `<th scope="col">${inner}</th>`;
          });
          return `<tr>${cells.join("")}</tr>`;
        });
        const [head = "", ...body] = rows;
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${head}</thead><tbody>${body.join("")}</tbody></table></div>`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  return {
    // Marked encodes the braces of a name in a link's address.
    html: withBraces(marked.parser(withTabs(tokens))),
    markdown: markdown.trim(),
    sections: sectionsOf(tokens),
  };
}

/** Code blocks that follow each other are the same code in several languages. */
function withTabs(tokens: Token[]): Token[] {
  const found: Token[] = [];
  let group: Snippet[] = [];
  let count = 0;
  const close = () => {
    if (group.length === 0) return;
    const id = `code-${++count}`;
    const html = runnable(codeTabs(group, id), group, id);
    found.push({ type: "html", raw: html, text: html, pre: false, block: true });
    group = [];
  };
  for (const token of tokens) {
    if (token.type === "code") group.push({ language: token.lang ?? "text", code: token.text });
    else if (token.type !== "space") {
      close();
      found.push(token);
    }
  }
  close();
  return found;
}

/** Parts a guide at its headings, for the search. Code is left out. */
function sectionsOf(tokens: Token[]): Section[] {
  const used = new Map<string, number>();
  const sections: Section[] = [{ id: "", title: "", text: "" }];
  for (const token of tokens) {
    if (token.type === "heading") {
      const { text } = token as Tokens.Heading;
      sections.push({ id: unique(anchorOf(text), used), title: plain(text), text: "" });
    } else if (token.type !== "code") {
      const last = sections.at(-1);
      if (last) last.text = `${last.text} ${plain(token.raw)}`.trim();
    }
  }
  return sections;
}

const plain = (markdown: string): string =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*|]|^-+$/gm, "")
    .replace(/\s+/g, " ")
    .trim();

const anchorOf = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

function unique(anchor: string, used: Map<string, number>): string {
  const times = (used.get(anchor) ?? 0) + 1;
  used.set(anchor, times);
  return times === 1 ? anchor : `${anchor}-${times}`;
}
