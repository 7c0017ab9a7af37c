import type { Context } from "hono";
import type { AppEnv } from "../http/env.ts";
import { type OpenApi, operationsByTag } from "./document.ts";
import { ERRORS, errorPath } from "./errors.tsx";
import type { Entry } from "./find.ts";
import { guidePath, PAGES, SCHEMAS_PATH, tagPath, tagTitle } from "./pages.ts";
import { schemaId } from "./schema.tsx";
import { readText, type Section } from "./text.ts";

type IndexedSection = Section & { page: string };

/** Everything that the search finds: parts of guides, operations, errors and schemas. */
export async function entriesOf(c: Context<AppEnv>, api: OpenApi): Promise<Entry[]> {
  const sections = await readText<IndexedSection[]>(c, "docs-index.json");
  return [
    ...sections.flatMap(guideEntry),
    ...[...operationsByTag(api)].flatMap(([tag, operations]) =>
      operations.map(({ id, summary, method, path, description, operationId }) => ({
        title: summary ?? path,
        within: `${method} ${path}`,
        path: `${tagPath(tag)}#${id}`,
        text: [operationId, tagTitle(tag), description].join(" "),
      })),
    ),
    ...ERRORS.map(({ type, heading, text }) => ({
      ...{ title: type, within: heading.replaceAll("`", ""), path: errorPath(type), text },
    })),
    ...Object.keys(api.components.schemas).map((name) => ({
      ...{ title: name, within: "Schemas", path: `${SCHEMAS_PATH}#${schemaId(name)}`, text: "" },
    })),
  ];
}

function guideEntry({ page, id, title, text }: IndexedSection): Entry[] {
  const guide = PAGES.find(({ name }) => name === page);
  if (!guide) return [];
  const path = `${guidePath(guide)}${id && `#${id}`}`;
  return [{ title: title || guide.title, within: title ? guide.title : guide.summary, path, text }];
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
