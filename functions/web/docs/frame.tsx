import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { AppEnv } from "../../lib/http/env.ts";
import { Page } from "../../ui/layout.tsx";
import { siteName } from "../../ui/name.ts";
import { sendPage } from "../../ui/policy.ts";
import { GUIDES, type Guide, guidePath, LAST, SCHEMAS_PATH, START, tagPath, tagTitle } from "./pages.ts";

interface DocsPage {
  title: string;
  /** Shown by search engines. */
  description?: string;
  /** Path of the page. Its Markdown has the same path with `.md`, if it has one. */
  path: string;
  hasMarkdown?: boolean;
  tags: string[];
  /** The words that the reader searched for. */
  words?: string;
}

/** Sends a page of `/docs` with its navigation. It is the same for everybody, so caches may store it. */
export function showDocs(c: Context<AppEnv>, page: DocsPage, body: Child, status: 200 | 404 = 200): Response {
  const { title, path, hasMarkdown = true, tags, words } = page;
  const { description = `${title}: the API of ${siteName(c.env)}, with examples to run.` } = page;
  const markdown = `${path}.md`;
  return sendPage(
    c,
    <Page
      env={c.env}
      title={`${title} · ${siteName(c.env)} docs`}
      styles={["docs.css"]}
      scripts={["docs.client.js"]}
      head={
        <>
          <meta name="description" content={description} />
          {hasMarkdown && <link rel="alternate" type="text/markdown" href={markdown} />}
          <link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.xml" />
        </>
      }
    >
      <div class="docs">
        <div class="docs-side">
          <SearchForm words={words} />
          <details class="docs-nav">
            <summary>All pages</summary>
            <Contents path={path} tags={tags} />
          </details>
        </div>
        <article class="docs-page">
          <h1>{title}</h1>
          {body}
          {hasMarkdown && (
            <p class="docs-end">
              <a href={markdown}>This page as Markdown</a>
            </p>
          )}
        </article>
      </div>
    </Page>,
    { status, cacheControl: status === 200 ? "public, max-age=300" : "no-store", formAction: "'self'" },
  );
}

const SearchForm = ({ words }: { words: string | undefined }) => (
  <search>
    <form class="docs-search" action="/docs/search">
      <label class="sr-only" for="docs-search">
        Search the docs
      </label>
      <input
        id="docs-search"
        name="q"
        type="search"
        placeholder="Search the docs"
        value={words}
        autocomplete="off"
      />
    </form>
  </search>
);

const Contents = ({ path, tags }: { path: string; tags: string[] }) => {
  const Item = ({ to, title }: { to: string; title: string }) => (
    <li>
      <a href={to} aria-current={to === path ? "page" : undefined}>
        {title}
      </a>
    </li>
  );
  const listed = (guides: readonly Guide[]) =>
    guides.map((guide) => <Item to={guidePath(guide)} title={guide.title} />);
  return (
    <nav aria-label="Docs">
      <ul>
        <Item to="/docs" title="Overview" />
        {listed(START)}
      </ul>
      <h2>Guides</h2>
      <ul>{listed(GUIDES)}</ul>
      <h2>Reference</h2>
      <ul>
        {tags.map((tag) => (
          <Item to={tagPath(tag)} title={tagTitle(tag)} />
        ))}
        <Item to={SCHEMAS_PATH} title="Schemas" />
      </ul>
      <h2>More</h2>
      <ul>{listed(LAST)}</ul>
    </nav>
  );
};
