import type { Context } from "hono";
import type { AppEnv } from "../http/env.ts";
import { apiUrl } from "../http/links.ts";
import { Page } from "../site/layout.tsx";
import { sendPage } from "../site/policy.ts";
import { Prose } from "../site/prose.tsx";
import {
  asOpenApi,
  type NamedOperation,
  type OpenApi,
  operationsByTag,
  type Schema,
} from "./reference-document.ts";
import { Method, OperationSection } from "./reference-operation.tsx";
import { Fields, schemaId, Type } from "./reference-schema.tsx";

/** Renders the OpenAPI document as a page. */
export function reference(c: Context<AppEnv>, document: Record<string, unknown>): Response {
  const api = asOpenApi(document);
  const groups = operationsByTag(api);
  const schemas = Object.entries(api.components.schemas).sort(([a], [b]) => a.localeCompare(b));
  const page = (
    <Page env={c.env} title={`${api.info.title} API reference`} wide>
      <div class="reference">
        <details class="contents" open>
          <summary>Contents</summary>
          <Contents groups={groups} schemas={schemas.map(([name]) => name)} />
        </details>
        <div class="sheets">
          <Introduction api={api} openapi={apiUrl(c.env, "/openapi.json")} />
          {groups.map(([tag, operations]) => (
            <section class="group" id={`tag-${tag}`}>
              <h2>{capitalised(tag)}</h2>
              {operations.map((operation) => (
                <OperationSection operation={operation} api={api} />
              ))}
            </section>
          ))}
          <section class="group" id="schemas">
            <h2>Schemas</h2>
            {schemas.map(([name, schema]) => (
              <SchemaSection name={name} schema={schema} />
            ))}
          </section>
        </div>
      </div>
    </Page>
  );
  return sendPage(c, page, { cacheControl: "public, max-age=300" });
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const Introduction = ({ api, openapi }: { api: OpenApi; openapi: string }) => (
  <section class="introduction">
    <p class="eyebrow">API reference</p>
    <h1>{api.info.title}</h1>
    {api.info.description?.split("\n\n").map((text) => (
      <Prose text={text} />
    ))}
    <p>
      All addresses begin with <code>{api.servers[0]?.url}</code>. The same in a form that programs read:{" "}
      <a href={openapi}>openapi.json</a>.
    </p>
  </section>
);

interface ContentsProps {
  groups: [tag: string, NamedOperation[]][];
  schemas: string[];
}

const Contents = ({ groups, schemas }: ContentsProps) => (
  <nav aria-label="Contents">
    {groups.map(([tag, operations]) => (
      <>
        <a class="tag" href={`#tag-${tag}`}>
          {capitalised(tag)}
        </a>
        <ul>
          {operations.map(({ id, method, summary, path }) => (
            <li>
              <a href={`#${id}`}>
                <Method of={method} /> {summary ?? path}
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
    <a class="tag" href="/docs/errors">
      Errors
    </a>
    <a class="tag" href="#schemas">
      Schemas
    </a>
    <ul>
      {schemas.map((name) => (
        <li>
          <a href={`#${schemaId(name)}`}>{name}</a>
        </li>
      ))}
    </ul>
  </nav>
);

const SchemaSection = ({ name, schema }: { name: string; schema: Schema }) => (
  <section class="operation card" id={schemaId(name)}>
    <h3>
      <a href={`#${schemaId(name)}`}>{name}</a>
    </h3>
    {schema.description && <Prose text={schema.description} />}
    {schema.properties ? (
      <Fields of={schema} />
    ) : (
      <p class="type">
        <Type of={schema} />
      </p>
    )}
  </section>
);
