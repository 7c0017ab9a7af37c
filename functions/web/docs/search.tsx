import type { Context } from "hono";
import type { Schema } from "../../api/openapi/schema.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { nearestTo } from "../../lib/text/nearest.ts";
import { type Entry, search } from "../../ui/assets/docs/docs-find.ts";
import { notationsOf } from "./bodies.tsx";
import { type NamedOperation, type OpenApi, operationsByTag } from "./document.ts";
import { ERRORS, errorPath } from "./errors.tsx";
import { type Guide, guidePath, PAGES, SCHEMAS_PATH, tagPath, tagTitle } from "./pages.ts";
import { fieldsOf, schemaId } from "./schema.tsx";
import { readText, type Section } from "./text.ts";

type IndexedSection = Section & { page: string };

/** All search results: parts of guides, operations, errors and schemas. */
export async function entriesOf(c: Context<AppEnv>, api: OpenApi): Promise<Entry[]> {
  const sections = await readText<IndexedSection[]>(c, "docs-index.json");
  return [
    // Sorts by page: the index is sorted by file name.
    ...PAGES.flatMap((guide) =>
      sections.filter(({ page }) => page === guide.name).map((section) => guideEntry(guide, section)),
    ),
    ...[...operationsByTag(api)].flatMap(([tag, operations]) =>
      operations.map((operation) => {
        const { id, summary, method, path, description, operationId } = operation;
        return {
          title: summary ?? path,
          within: `${method} ${path}`,
          path: `${tagPath(tag)}#${id}`,
          text: [operationId, tagTitle(tag), description, ...namesIn(operation, api)].join(" "),
          weight: 2,
        };
      }),
    ),
    ...ERRORS.map(({ type, heading, text }) => ({
      title: type,
      within: heading.replaceAll("`", ""),
      path: errorPath(type),
      text,
      weight: 1,
    })),
    ...Object.entries(api.components.schemas).map(([name, schema]) => ({
      title: name,
      within: "Schemas",
      path: `${SCHEMAS_PATH}#${schemaId(name)}`,
      text: Object.keys(schema.properties ?? {}).join(" "),
      weight: 0,
    })),
  ];
}

function guideEntry(guide: Guide, { id, title, text }: IndexedSection): Entry {
  const path = `${guidePath(guide)}${id && `#${id}`}`;
  if (title) return { title, within: guide.title, path, text, weight: 3 };
  const about = guide.alsoCalled ? `${text} ${guide.alsoCalled}` : text;
  return { title: guide.title, within: guide.summary, path, text: about, weight: 3 };
}

/** The names of an operation's parameters and of its body's fields. */
const namesIn = (operation: NamedOperation, api: OpenApi): string[] => [
  ...new Set([
    ...operation.parameters.map(({ name }) => name),
    ...notationsOf(operation, api).flatMap(({ schema }) => namesBelow(schema)),
  ]),
];

function namesBelow(schema: Schema): string[] {
  const { properties = {} } = fieldsOf(schema) ?? {};
  return Object.entries(properties).flatMap(([name, field]) => [name, ...namesBelow(field)]);
}

/** Entries that an address may have meant. */
const MOST_NEAR = 5;

/** Finds entries near to the end of an unknown address: names of pages first, then results of the search. */
export async function entriesNear(c: Context<AppEnv>, api: OpenApi): Promise<Entry[]> {
  const [word = ""] = c.req.path
    .replace(/\.\w+$/, "")
    .split("/")
    .filter(Boolean)
    .slice(-1);
  const pages = [
    ...PAGES.map((page) => ({
      name: page.name,
      title: page.title,
      within: page.summary,
      path: guidePath(page),
    })),
    ...[...operationsByTag(api).keys()].map((tag) => {
      return { name: tag, title: tagTitle(tag), within: "Reference", path: tagPath(tag) };
    }),
  ];
  const meant = nearestTo(word, [...new Set(pages.map(({ name }) => name))]);
  const near = meant.flatMap((meaning) => pages.filter(({ name }) => name === meaning));
  const found = search(await entriesOf(c, api), word.replace(/[-_]/g, " "));
  const entries = [...near.map((page) => ({ ...page, text: "", weight: 0 })), ...found];
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()].slice(0, MOST_NEAR);
}

export const Missing = ({ near }: { near: Entry[] }) => (
  <>
    <p>The address may be mistyped, or the page has another name now. Search for its subject.</p>
    {near.length > 0 && <h2>Perhaps you meant</h2>}
    {near.length > 0 && <EntryList of={near} />}
  </>
);

const EntryList = ({ of }: { of: Entry[] }) => (
  <ul class="docs-results">
    {of.map(({ title, within, path }) => (
      <li>
        <a href={path}>
          {title} <small>{within}</small>
        </a>
      </li>
    ))}
  </ul>
);

export const Results = ({ words, found }: { words: string; found: Entry[] }) => (
  <>
    <p>
      {found.length === 0 ? "Nothing" : found.length === 1 ? "One place" : `${found.length} places`} for{" "}
      <q>{words}</q>
    </p>
    {found.length > 0 ? (
      <EntryList of={found} />
    ) : (
      <p>
        Try fewer words, a path, or the name of a field. <a href="/docs#operations">All operations</a> stand
        on one page.
      </p>
    )}
  </>
);
