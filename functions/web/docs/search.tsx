import type { Context } from "hono";
import type { AppEnv } from "../../lib/http/env.ts";
import type { Entry } from "../../ui/assets/docs/docs-find.ts";
import { type OpenApi, operationsByTag } from "./document.ts";
import { ERRORS, errorPath } from "./errors.tsx";
import { type Guide, guidePath, PAGES, SCHEMAS_PATH, tagPath, tagTitle } from "./pages.ts";
import { schemaId } from "./schema.tsx";
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
      operations.map(({ id, summary, method, path, description, operationId }) => ({
        title: summary ?? path,
        within: `${method} ${path}`,
        path: `${tagPath(tag)}#${id}`,
        text: [operationId, tagTitle(tag), description].join(" "),
        weight: 2,
      })),
    ),
    ...ERRORS.map(({ type, heading, text }) => ({
      title: type,
      within: heading.replaceAll("`", ""),
      path: errorPath(type),
      text,
      weight: 1,
    })),
    ...Object.keys(api.components.schemas).map((name) => ({
      title: name,
      within: "Schemas",
      path: `${SCHEMAS_PATH}#${schemaId(name)}`,
      text: "",
      weight: 0,
    })),
  ];
}

function guideEntry(guide: Guide, { id, title, text }: IndexedSection): Entry {
  const path = `${guidePath(guide)}${id && `#${id}`}`;
  const within = title ? guide.title : guide.summary;
  return { title: title || guide.title, within, path, text, weight: 3 };
}

export const Results = ({ words, found }: { words: string; found: Entry[] }) => (
  <>
    <p>
      {found.length === 0 ? "Nothing" : found.length === 1 ? "One place" : `${found.length} places`} for{" "}
      <q>{words}</q>
    </p>
    <ul class="docs-results">
      {found.map(({ title, within, path }) => (
        <li>
          <a href={path}>
            {title} <small>{within}</small>
          </a>
        </li>
      ))}
    </ul>
  </>
);
