import type { Context } from "hono";
import { raw } from "hono/html";
import type { AppEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { negotiate } from "../../lib/http/format/accept.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { sitemap } from "../../lib/text/sitemap.ts";
import { escapeXml } from "../../lib/text/xml.ts";
import { search } from "../../ui/assets/docs/docs-find.ts";
import { prefersPage, withoutEnd, withoutSlash } from "../../ui/not-found.tsx";
import { Prose } from "../../ui/prose.tsx";
import { DeprecationList, deprecationsAsMarkdown } from "./deprecations.tsx";
import { asOpenApi, type OpenApi, operationsByTag } from "./document.ts";
import { ErrorList, errorsAsMarkdown, FormerAnchors } from "./errors.tsx";
import { showDocs } from "./frame.tsx";
import { addMachinePages, CACHED } from "./machines.ts";
import { operationsAsMarkdown, schemasAsMarkdown } from "./markdown.ts";
import { ABOUT_SAMPLES, OwnSamples } from "./own-samples.tsx";
import { type Guide, guidePath, PAGES, SCHEMAS_PATH, tagPath, tagTitle } from "./pages.ts";
import { AllOperations, SchemaReference, TagReference } from "./reference.tsx";
import { namesIn, publicSamples, type Samples, withSamples } from "./sample-ids.ts";
import { entriesNear, entriesOf, Missing, Results } from "./search.tsx";
import { type GuideText, readText } from "./text.ts";

/** Characters of a search text. */
const MOST_SOUGHT = 100;

/** {api_url}: the developers' documentation. `documentOf` builds the OpenAPI document once for each environment. */
export function docsRoutes(documentOf: (env: AppEnv["Bindings"]) => Record<string, unknown>): Routes {
  const docs = new Routes();
  const apiOf = (c: Context<AppEnv>) => asOpenApi(documentOf(c.env));
  const tagsOf = (api: OpenApi) => [...operationsByTag(api).keys()];

  docs.page("/docs", (c) => {
    const api = apiOf(c);
    if (wantsMarkdown(c)) return sendMarkdown(c, overviewAsMarkdown(c, api));
    const page = { title: `${api.info.title} for developers`, path: "/docs", tags: tagsOf(api) };
    return showDocs(c, page, <Overview api={api} openapi={apiUrl(c.env, "/openapi.json")} />);
  });

  /** A page for people, with the search and what they may have meant. Programs get the error object. */
  async function missing(c: Context<AppEnv>): Promise<Response> {
    if (!prefersPage(c)) return withoutSlash(c) ?? notFound("Page");
    const api = apiOf(c);
    const page = { title: "There is no such page", path: "", hasMarkdown: false, tags: tagsOf(api) };
    return withoutEnd(c) ?? showDocs(c, page, <Missing near={await entriesNear(c, api)} />, 404);
  }

  docs.page("/docs.md", (c) => sendMarkdown(c, overviewAsMarkdown(c, apiOf(c))));
  docs.page("/llms.txt", (c) => sendMarkdown(c, overviewAsMarkdown(c, apiOf(c))));

  docs.page("/llms-full.txt", async (c) => {
    const api = apiOf(c);
    const guides = await Promise.all(PAGES.map((guide) => guideAsMarkdown(c, guide)));
    const references = [...tagsOf(api), "schemas"].map((tag) => referenceAsMarkdown(api, tag) ?? "");
    return sendSamples(c, [overviewAsMarkdown(c, api), ...guides, ...references].join("\n\n"));
  });

  docs.page("/docs/sitemap.xml", (c) => {
    const paths = ["/docs", ...PAGES.map(guidePath), ...tagsOf(apiOf(c)).map(tagPath), SCHEMAS_PATH];
    const entries = paths.map((path) => `<url><loc>${escapeXml(apiUrl(c.env, path))}</loc></url>`);
    return c.body(sitemap("urlset", entries), 200, {
      "Content-Type": "application/xml",
      "Cache-Control": CACHED,
    });
  });

  addMachinePages(docs);

  docs.page("/docs/search", async (c) => {
    const words = (c.req.query("q") ?? "").slice(0, MOST_SOUGHT);
    const api = apiOf(c);
    const found = search(await entriesOf(c, api), words);
    const page = { title: "Search", path: "/docs/search", hasMarkdown: false, tags: tagsOf(api), words };
    return showDocs(c, page, <Results words={words} found={found} />);
  });

  docs.page("/docs/search.json", async (c) =>
    c.json(await entriesOf(c, apiOf(c)), 200, { "Cache-Control": CACHED }),
  );

  docs.page("/docs/reference/:tag", async (c) => {
    const api = apiOf(c);
    const [tag, isMarkdown] = nameAndForm(c.req.param("tag"));
    const found = referenceOf(api, tag);
    if (!found) return missing(c);
    if (isMarkdown || wantsMarkdown(c)) return sendSamples(c, referenceAsMarkdown(api, tag) ?? "");
    const { title, html } = found;
    return showDocs(c, { title, path: tagPath(tag), tags: tagsOf(api) }, html(c, await publicSamples(c)));
  });

  docs.page("/docs/:page", async (c) => {
    const [name, isMarkdown] = nameAndForm(c.req.param("page"));
    const guide = PAGES.find((page) => page.name === name);
    if (!guide) return missing(c);
    if (isMarkdown || wantsMarkdown(c)) return sendSamples(c, await guideAsMarkdown(c, guide));
    const text = await readText<GuideText>(c, `docs-${name}.json`);
    const html = await filled(c, text.html);
    const { title, summary: description } = guide;
    const page = { title, description, path: guidePath(guide), tags: tagsOf(apiOf(c)) };
    return showDocs(
      c,
      page,
      <>
        {name === "changelog" && <DeprecationList env={c.env} />}
        {/data-sample|data-needs-token/.test(html) && <OwnSamples env={c.env} />}
        <div class="prose">{raw(html)}</div>
        {name === "errors" && <ErrorList />}
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

/** A browser's `*\/*` means a page. */
const wantsMarkdown = (c: Context<AppEnv>): boolean =>
  negotiate(c.req.header("Accept"), [
    { name: "page", mediaType: "text/html", aliases: [] },
    { name: "markdown", mediaType: "text/markdown", aliases: [] },
  ]) === "markdown";

const sendMarkdown = (c: Context<AppEnv>, text: string): Response =>
  c.body(`${text}\n`, 200, { "Content-Type": "text/markdown; charset=utf-8", "Cache-Control": CACHED });

/** Fills in what everybody may read. */
const filled = async (c: Context<AppEnv>, text: string): Promise<string> =>
  namesIn(text).length ? withSamples(text, await publicSamples(c)) : text;

/** Markdown has no script that fills in a reader's own. */
const sendSamples = async (c: Context<AppEnv>, text: string): Promise<Response> =>
  sendMarkdown(c, await filled(c, text));

async function guideAsMarkdown(c: Context<AppEnv>, { name, title }: Guide): Promise<string> {
  const { markdown } = await readText<GuideText>(c, `docs-${name}.json`);
  const before = name === "changelog" ? deprecationsAsMarkdown(c.env) : "";
  const about = namesIn(markdown).length ? ABOUT_SAMPLES : "";
  const after = name === "errors" ? errorsAsMarkdown() : "";
  return [`# ${title}`, before, about, markdown, after].filter(Boolean).join("\n\n");
}

function referenceAsMarkdown(api: OpenApi, tag: string): string | undefined {
  const found = referenceOf(api, tag);
  return found && `# ${found.title}\n\n${found.markdown()}`;
}

/** The page of a tag, or of all schemas. */
function referenceOf(api: OpenApi, tag: string) {
  if (tag === "schemas") {
    const schemas = Object.entries(api.components.schemas).sort(([a], [b]) => a.localeCompare(b));
    return {
      title: "Schemas",
      html: () => <SchemaReference schemas={schemas} api={api} />,
      markdown: () => schemasAsMarkdown(schemas, api),
    };
  }
  const operations = operationsByTag(api).get(tag);
  const about = api.tags.find(({ name }) => name === tag)?.description;
  const needsToken = operations?.some(({ security = [] }) => security.length > 0);
  return (
    operations && {
      title: tagTitle(tag),
      html: (c: Context<AppEnv>, samples: Samples) => (
        <>
          <p class="lead">{about}</p>
          {needsToken && <OwnSamples env={c.env} />}
          <TagReference operations={operations} api={api} samples={samples} />
        </>
      ),
      markdown: () =>
        [about, needsToken && ABOUT_SAMPLES, operationsAsMarkdown(operations, api)]
          .filter(Boolean)
          .join("\n\n"),
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
    <h2 id="operations">All operations</h2>
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
