import type { Context } from "hono";
import { raw } from "hono/html";
import type { AppEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { sitemap } from "../../lib/text/sitemap.ts";
import { escapeXml } from "../../lib/text/xml.ts";
import { search } from "../../ui/assets/docs/docs-find.ts";
import { prefersPage, withoutEnd, withoutSlash } from "../../ui/not-found.tsx";
import { Prose } from "../../ui/prose.tsx";
import { asOpenApi, type OpenApi, operationsByTag } from "./document.ts";
import { ErrorList, errorsAsMarkdown, FormerAnchors } from "./errors.tsx";
import { showDocs } from "./frame.tsx";
import { operationsAsMarkdown, schemasAsMarkdown } from "./markdown.ts";
import { type Guide, guidePath, PAGES, SCHEMAS_PATH, tagPath, tagTitle } from "./pages.ts";
import { AllOperations, SchemaReference, TagReference } from "./reference.tsx";
import { entriesOf, Results } from "./search.tsx";
import { type GuideText, readText } from "./text.ts";

const MARKDOWN = "text/markdown; charset=utf-8";
const CACHED = "public, max-age=300";
/** Characters of a search text. */
const MOST_SOUGHT = 100;

/** {api_url}: the developers' documentation. `documentOf` builds the OpenAPI document once for each environment. */
export function docsRoutes(documentOf: (env: AppEnv["Bindings"]) => Record<string, unknown>): Routes {
  const docs = new Routes();
  const apiOf = (c: Context<AppEnv>) => asOpenApi(documentOf(c.env));
  const tagsOf = (api: OpenApi) => [...operationsByTag(api).keys()];

  docs.page("/docs", (c) => {
    const api = apiOf(c);
    const page = { title: `${api.info.title} for developers`, path: "/docs", tags: tagsOf(api) };
    return showDocs(c, page, <Overview api={api} openapi={apiUrl(c.env, "/openapi.json")} />);
  });

  /** A page for people, with the search. Programs get the error object. */
  function missing(c: Context<AppEnv>): Response {
    if (!prefersPage(c)) return withoutSlash(c) ?? notFound("Page");
    const page = { title: "There is no such page", path: "", hasMarkdown: false, tags: tagsOf(apiOf(c)) };
    const body = (
      <p>The address may be mistyped, or the page has another name now. Search for its subject.</p>
    );
    return withoutEnd(c) ?? showDocs(c, page, body, 404);
  }

  docs.page("/docs.md", (c) => sendMarkdown(c, overviewAsMarkdown(c, apiOf(c))));
  docs.page("/llms.txt", (c) => sendMarkdown(c, overviewAsMarkdown(c, apiOf(c))));

  docs.page("/docs/sitemap.xml", (c) => {
    const paths = ["/docs", ...PAGES.map(guidePath), ...tagsOf(apiOf(c)).map(tagPath), SCHEMAS_PATH];
    const entries = paths.map((path) => `<url><loc>${escapeXml(apiUrl(c.env, path))}</loc></url>`);
    return c.body(sitemap("urlset", entries), 200, {
      "Content-Type": "application/xml",
      "Cache-Control": CACHED,
    });
  });

  docs.page("/docs/search", async (c) => {
    const words = (c.req.query("q") ?? "").slice(0, MOST_SOUGHT);
    const api = apiOf(c);
    const found = search(await entriesOf(c, api), words);
    const page = { title: "Search", path: "/docs/search", hasMarkdown: false, tags: tagsOf(api) };
    return showDocs(c, page, <Results words={words} found={found} />);
  });

  docs.page("/docs/search.json", async (c) =>
    c.json(await entriesOf(c, apiOf(c)), 200, { "Cache-Control": CACHED }),
  );

  docs.page("/docs/reference/:tag", (c) => {
    const api = apiOf(c);
    const [tag, isMarkdown] = nameAndForm(c.req.param("tag"));
    const found = referenceOf(api, tag, c.env.AUTH_URL);
    if (!found) return missing(c);
    const { title, html, markdown } = found;
    if (isMarkdown) return sendMarkdown(c, `# ${title}\n\n${markdown()}`);
    return showDocs(c, { title, path: tagPath(tag), tags: tagsOf(api) }, html());
  });

  docs.page("/docs/:page", async (c) => {
    const [name, isMarkdown] = nameAndForm(c.req.param("page"));
    const guide = PAGES.find((page) => page.name === name);
    if (!guide) return missing(c);
    const text = await readText<GuideText>(c, `docs-${name}.json`);
    const isErrors = name === "errors";
    if (isMarkdown) {
      const whole = [`# ${guide.title}`, text.markdown, ...(isErrors ? [errorsAsMarkdown()] : [])];
      return sendMarkdown(c, whole.join("\n\n"));
    }
    const { title, summary: description } = guide;
    const page = { title, description, path: guidePath(guide), tags: tagsOf(apiOf(c)) };
    return showDocs(
      c,
      page,
      <>
        <div class="prose">{raw(text.html)}</div>
        {isErrors && <ErrorList />}
      </>,
    );
  });

  docs.page("/docs/*", missing);
  return docs;
}

/** `/docs/tokens.md` is `/docs/tokens` as Markdown. */
const nameAndForm = (name: string): [name: string, isMarkdown: boolean] => [
  name.replace(/\.md$/, ""),
  name.endsWith(".md"),
];

function sendMarkdown(c: Context<AppEnv>, text: string): Response {
  return c.body(`${text}\n`, 200, { "Content-Type": MARKDOWN, "Cache-Control": CACHED });
}

/** The page of a tag, or of all schemas. */
function referenceOf(api: OpenApi, tag: string, authUrl: string) {
  if (tag === "schemas") {
    const schemas = Object.entries(api.components.schemas).sort(([a], [b]) => a.localeCompare(b));
    return {
      title: "Schemas",
      html: () => <SchemaReference schemas={schemas} />,
      markdown: () => schemasAsMarkdown(schemas),
    };
  }
  const operations = operationsByTag(api).get(tag);
  return (
    operations && {
      title: tagTitle(tag),
      html: () => <TagReference operations={operations} api={api} tokenPage={`${authUrl}/you/token`} />,
      markdown: () => operationsAsMarkdown(operations, api),
    }
  );
}

const Overview = ({ api, openapi }: { api: OpenApi; openapi: string }) => (
  <>
    <p class="lead">
      Upload, share, find, embed and talk about audio. Begin with the{" "}
      <a href="/docs/quick-start">quick start</a>: your first sound plays in a minute.
    </p>
    <ul class="docs-cards">
      {PAGES.map((page) => (
        <li>
          <a href={guidePath(page)}>{page.title}</a>
          <p>{page.summary}</p>
        </li>
      ))}
    </ul>
    <h2>About the API</h2>
    {api.info.description?.split("\n\n").map((text) => (
      <Prose text={text} />
    ))}
    <p>
      All addresses begin with <code>{api.servers[0]?.url}</code>. The same in a form that programs read:{" "}
      <a href={openapi}>openapi.json</a>. Every page as text: <a href="/llms.txt">llms.txt</a>.
    </p>
    <h2>All operations</h2>
    <AllOperations groups={operationsByTag(api)} />
    <h2 id="errors">Errors</h2>
    <FormerAnchors />
  </>
);

/** The format of llmstxt.org: a title, a summary, and lists of links. */
function overviewAsMarkdown(c: Context<AppEnv>, api: OpenApi): string {
  const line = (path: string, title: string, summary: string) =>
    `- [${title}](${apiUrl(c.env, path)}.md): ${summary}`;
  const guides = PAGES.map((page: Guide) => line(guidePath(page), page.title, page.summary));
  const reference = [...operationsByTag(api)].map(([tag, operations]) =>
    line(
      tagPath(tag),
      tagTitle(tag),
      operations.length === 1 ? "One operation." : `${operations.length} operations.`,
    ),
  );
  return [
    `# ${api.info.title}`,
    "> Upload, share, find, embed and talk about audio.",
    api.info.description,
    `All addresses begin with \`${api.servers[0]?.url}\`. The OpenAPI document: ${apiUrl(c.env, "/openapi.json")}`,
    "## Guides",
    guides.join("\n"),
    "## Reference",
    [...reference, line(SCHEMAS_PATH, "Schemas", "Every object of the API.")].join("\n"),
  ].join("\n\n");
}
