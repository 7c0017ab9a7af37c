import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { stack } from "../../support/stack.ts";
import { parseXml } from "../../support/xml.ts";
import { threeHosts } from "../site/three-hosts.ts";

/** Bytes that a page may weigh with its style and scripts, compressed. */
const BUDGET = 100 * 1024;

/** Paths of all pages, as llms.txt lists them. */
let paths: string[];

const read = async (path: string) => {
  const reply = await fetch(new URL(path, stack.urls.api));
  return { status: reply.status, type: reply.headers.get("Content-Type"), text: await reply.text() };
};

const compressed = (text: string) => gzipSync(text).length;

beforeAll(async () => {
  const { text } = await read("/llms.txt");
  paths = [...text.matchAll(/^- \[.+?\]\((\S+)\.md\): /gm)].map(([, url = ""]) => new URL(url).pathname);
});

test("llms.txt lists the guides and a page for each tag", async () => {
  const document = JSON.parse((await read("/openapi.json")).text) as {
    paths: Record<string, Record<string, { tags: string[] }>>;
  };
  const tags = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => operation.tags),
  );
  const reference = [...new Set(tags)].map((tag) => `/docs/reference/${tag}`);
  expect(paths).toEqual(expect.arrayContaining(["/docs/quick-start", "/docs/errors", ...reference]));
});

test("a sitemap names each page of the docs, and the changelog", async () => {
  const { type, text } = await read("/docs/sitemap.xml");
  const named = parseXml(text).children.map(({ children: [loc] }) => new URL(loc?.text ?? "").pathname);
  expect([type, named]).toEqual([
    "application/xml",
    expect.arrayContaining(["/docs", "/docs/changelog", ...paths]),
  ]);
  const statuses = await Promise.all(named.map(async (path) => (await read(path)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test("people who mistype a page of the docs find the search, and a slash at its end is forgiven", async () => {
  const ask = (path: string, Accept: string) =>
    fetch(stack.urls.api + path, { headers: { Accept }, redirect: "manual" });
  for (const path of ["/docs/nope", "/docs/reference/nope", "/docs/a/b"]) {
    const page = await ask(path, "text/html");
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('action="/docs/search"')]);
    expect((await ask(path, "*/*")).headers.get("Content-Type")).toContain("application/json");
  }
  for (const path of ["/docs", "/docs/tokens"])
    expect((await ask(`${path}/`, "text/html")).headers.get("Location")).toBe(path);
});

test("a mistyped page of the docs names those near to it", async () => {
  for (const [path, near] of [
    ["/docs/webhoks", "/docs/webhooks"],
    ["/docs/reference/track", "/docs/reference/tracks"],
    ["/docs/pageing", "/docs/paging"],
    ["/docs/refresh-token", "/docs/tokens"],
  ]) {
    const reply = await fetch(stack.urls.api + path, { headers: { Accept: "text/html" } });
    const [, meant = ""] = /Perhaps you meant(.*?)<\/ul>/s.exec(await reply.text()) ?? [];
    expect([reply.status, meant]).toEqual([404, expect.stringContaining(`href="${near}`)]);
  }
});

test("operations of the accounts' host are not offered to try where that is another one", async () => {
  const offered = (html: string) => Array.from(html.matchAll(/data-path="([^"]+)"/g), ([, path]) => path);
  const METADATA = "/.well-known/oauth-authorization-server";
  expect(offered((await read("/docs/reference/oauth")).text)).toContain(METADATA);
  const { html } = await (await threeHosts()).open().get("api", "/docs/reference/oauth");
  expect(offered(html)).toEqual(["/.well-known/oauth-protected-resource"]);
});

test("the API document is the same with and without compression, and is not sent again", async () => {
  const ask = (headers: Record<string, string>) => fetch(`${stack.urls.api}/openapi.json`, { headers });
  const [plain, small, refusing] = await Promise.all(
    ["gzip", "br, gzip", "br;q=0"].map((coding) => ask({ "Accept-Encoding": coding })),
  );
  const coding = (reply?: Response) => reply?.headers.get("Content-Encoding");
  expect([plain, small, refusing].map(coding)).toEqual([null, "br", null]);
  expect(small?.headers.get("Vary")).toBe("Accept, Authorization, Origin, Accept-Encoding");
  const text = await plain?.text();
  expect(JSON.parse(text ?? "")).toMatchObject({ servers: [{ url: stack.urls.api }] });
  expect([await small?.text(), await refusing?.text()]).toEqual([text, text]);
  const tag = small?.headers.get("ETag") ?? "";
  expect(tag).toBe(plain?.headers.get("ETag"));
  const again = await ask({ "If-None-Match": tag });
  expect([again.status, again.headers.get("ETag"), await again.text()]).toEqual([304, tag, ""]);
  expect((await ask({ "If-None-Match": '"another"' })).status).toBe(200);
});

test("each page is there as HTML within 100 KB, and as Markdown under the same title", async () => {
  const weights = new Map<string, number>();
  for (const path of ["/docs", ...paths]) {
    const html = await read(path);
    const [, title = ""] = /<h1>(.*?)<\/h1>/.exec(html.text) ?? [];
    expect([path, html.status, html.type]).toEqual([path, 200, "text/html; charset=UTF-8"]);
    expect(html.text).not.toMatch(/(?:\{|%7B)(?:api|auth|web|older)_url(?:\}|%7D)/);
    let weight = compressed(html.text);
    for (const [, asset = ""] of html.text.matchAll(/(?:stylesheet" href|module" src)="([^"]+)"/g)) {
      if (!weights.has(asset)) weights.set(asset, compressed((await read(asset)).text));
      weight += weights.get(asset) ?? 0;
    }
    expect([path, weight < BUDGET]).toEqual([path, true]);
    const markdown = await read(`${path}.md`);
    expect([path, markdown.status, markdown.type]).toEqual([path, 200, "text/markdown; charset=utf-8"]);
    if (path !== "/docs") expect(markdown.text.split("\n")[0]).toBe(`# ${title}`);
  }
});

test("each link and anchor of the guides leads somewhere", async () => {
  const pages = new Map<string, string>();
  for (const path of paths.filter((path) => !path.startsWith("/docs/reference"))) {
    const { text } = await read(path);
    const [, article = ""] = /<article[^>]*>(.*)<\/article>/s.exec(text) ?? [];
    expect(article, path).toContain("<h1>");
    for (const [, href = ""] of article.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)) {
      const url = new URL(href, stack.urls.api + path);
      const page = pages.get(url.pathname) ?? (await read(url.pathname)).text;
      pages.set(url.pathname, page);
      const found =
        url.hash === ""
          ? page.includes("<h1>") || page.includes("</feed>") || url.pathname.endsWith(".md")
          : page.includes(`id="${url.hash.slice(1)}"`);
      expect([path, href, found]).toEqual([path, href, true]);
    }
  }
});

test("the reference says who may ask: everybody, an app, a user, or an app's credentials", async () => {
  const { text } = await read("/docs/reference/oauth.md");
  for (const path of ["token", "revoke", "introspect"])
    expect(text).toContain(`\`POST /oauth/${path}\` · Needs the app's credentials, no token`);
  expect(text).toContain("`POST /sign-out` · Open to everybody");
  const { text: me } = await read("/docs/reference/me.md");
  expect(me).toContain("`GET /me` · Needs an access token: a user's with the scope read");
});

test("an operation names every field of its body: of JSON, of forms, and what only multipart has", async () => {
  const { text: tracks } = await read("/docs/reference/tracks.md");
  const upload = tracks.slice(tracks.indexOf("`POST /tracks`"), tracks.indexOf("`GET /tracks/{id}`"));
  expect(upload).toContain("Body, as `application/json` or `application/xml`:");
  expect(upload).toMatch(/^- `track` \(object, required\).*\n {2}- `/m);
  expect(upload).toMatch(
    /^- `track\[sharing\]` \("public" or "private"|^- `track\[sharing\]` \(`"public"` or `"private"`/m,
  );
  expect(upload).toMatch(/^- `track\[artwork_data\]` \([^)]*multipart only/m);
  const { text: page } = await read("/docs/reference/me");
  for (const field of ["user[avatar_data]", "website_title"]) expect(page).toContain(`<code>${field}</code>`);
});

test("a union is told apart by its type, with an example of each", async () => {
  const { text } = await read("/docs/reference/schemas.md");
  const activity = text.slice(text.indexOf("## Activity"), text.indexOf("## App"));
  expect(activity.match(/^### .+/gm)).toEqual(expect.arrayContaining(["### track", "### comment"]));
  expect(activity.match(/```json/g)?.length).toBe(activity.match(/^### /gm)?.length);
});

test("who asks for Markdown gets it, and browsers get pages", async () => {
  const typeFor = async (path: string, Accept: string) =>
    (await fetch(stack.urls.api + path, { headers: { Accept } })).headers.get("Content-Type");
  for (const path of ["/docs", "/docs/tokens", "/docs/reference/tracks"]) {
    expect(await typeFor(path, "text/markdown, */*")).toBe("text/markdown; charset=utf-8");
    expect(await typeFor(path, "text/html, */*;q=0.8")).toMatch(/^text\/html/);
    expect(await typeFor(path, "*/*")).toMatch(/^text\/html/);
  }
});

test("llms-full.txt holds every page", async () => {
  const { text } = await read("/llms-full.txt");
  const titles = new Set(text.match(/^# .+/gm));
  for (const path of paths) {
    const [title = ""] = (await read(`${path}.md`)).text.split("\n");
    expect(titles).toContain(title);
  }
});

test("the changelog is a feed, with an entry for each of its days and for what is deprecated", async () => {
  const { type, text } = await read("/docs/changelog.xml");
  expect(type).toBe("application/atom+xml; charset=utf-8");
  const [, deprecated, days] =
    /## Deprecated\n(.*?)(?=^## )(.*)/ms.exec((await read("/docs/changelog.md")).text) ?? [];
  const headings = (deprecated?.match(/^### .+/gm) ?? []).map((heading) =>
    heading.replaceAll("`", "").replace("### ", "## Deprecated: "),
  );
  const entries = parseXml(text).children.filter(({ name }) => name === "entry");
  const texts = entries.map(({ children }) => children.map(({ text: said }) => said));
  expect(texts.map(([title]) => `## ${title}`)).toEqual([...(days?.match(/^## .+/gm) ?? []), ...headings]);
  for (const [, id = "", updated = "", , content = ""] of texts) {
    expect([id.split("#")[0], Number.isNaN(Date.parse(updated))]).toEqual([
      `${stack.urls.api}/docs/changelog`,
      false,
    ]);
    expect(content).not.toContain('href="/');
  }
});

test("the catalog leads to the API document, the docs and the status", async () => {
  const { type, text } = await read("/.well-known/api-catalog");
  expect(type).toContain("application/linkset+json");
  const [{ anchor, ...links }] = (JSON.parse(text) as { linkset: [Record<string, { href: string }[]>] })
    .linkset;
  expect(anchor).toBe(stack.urls.api);
  const statuses = Object.values(links)
    .flat()
    .map(async ({ href }) => (await fetch(href)).status);
  expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
});

test("an unknown page of the docs is 404", async () => {
  for (const path of ["/docs/nothing", "/docs/reference/nothing", "/docs/reference/nothing.md"])
    expect((await read(path)).status).toBe(404);
});

describe("the search answers without a script", () => {
  test.each([
    ["download the original", "/docs/reference/tracks#get-tracks-id-download"],
    ["createTrack", "/docs/reference/tracks#post-tracks"],
    ["artwork_data", "/docs/reference/tracks#post-tracks"],
    ["isrc", "/docs/reference/tracks#post-tracks"],
    ["forgiving", "/docs/reference/tracks#get-tracks"],
    ["not found", "/docs/errors#not-found"],
    ["quick", "/docs/quick-start"],
  ])("%s", async (words, target) => {
    const { text } = await read(`/docs/search?${new URLSearchParams({ q: words })}`);
    const [, results = ""] = /docs-results">(.*?)<\/ul>/s.exec(text) ?? [];
    const links = [...results.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
    expect(links.slice(0, 5)).toContain(target);
  });

  test.each([
    ["pkce", "/docs/tokens"],
    ["webhook", "/docs/webhooks"],
    ["upload", "/docs/upload"],
    ["sdk", "/docs/typescript-client"],
    ["python", "/docs/typescript-client"],
    ["mobile", "/docs/typescript-client"],
    ["SSE", "/docs/webhooks"],
    ["comments", "/docs/comments"],
    ["artwork", "/docs/artwork"],
    ["search", "/docs/find"],
    ["pagination", "/docs/paging"],
    ["analytics", "/docs/insights"],
    ["cover image", "/docs/artwork"],
    ["verify signature", "/docs/webhooks"],
    ["resume events", "/docs/webhooks"],
    ["schedule release", "/docs/schedule"],
    ["captions", "/docs/podcasts"],
    ["cors", "/docs/tokens"],
    ["rate limiting", "/docs/limits"],
  ])("a guide that is about it comes first: %s", async (words, guide) => {
    const { text } = await read(`/docs/search?${new URLSearchParams({ q: words })}`);
    const [, first = ""] = /docs-results"><li><a href="([^"#]+)/.exec(text) ?? [];
    expect(first).toBe(guide);
  });

  test("nothing is found for unknown words, which are shown as text and stay in the field, and a link leads on", async () => {
    const { text } = await read("/docs/search?q=%3Cscript%3Exyzzy");
    expect(text).toContain("Nothing for <q>&lt;script&gt;xyzzy</q>");
    expect(text).toMatch(/<input id="docs-search"[^>]* value="&lt;script&gt;xyzzy"/);
    const [, way = ""] = /href="\/docs#([^"]+)">All operations</.exec(text) ?? [];
    expect((await read("/docs")).text).toContain(`id="${way}">All operations<`);
  });
});
