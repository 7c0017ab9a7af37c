import { raw } from "hono/html";
import type { Schema } from "../../api/openapi/schema.ts";
import { Prose } from "../../ui/prose.tsx";
import { codeTabs } from "./code-tabs.ts";
import type { NamedOperation, OpenApi } from "./document.ts";
import { exampleOfKind, kindsOf } from "./kinds.ts";
import { Method, OperationSection } from "./operation.tsx";
import { tagPath, tagTitle } from "./pages.ts";
import type { Samples } from "./sample-ids.ts";
import { Fields, schemaId, Type } from "./schema.tsx";

interface TagReferenceProps {
  operations: NamedOperation[];
  api: OpenApi;
  samples: Samples;
}

/** The operations of a tag. */
export const TagReference = ({ operations, ...shared }: TagReferenceProps) => (
  <>
    <OperationList operations={operations} linkTo={({ id }) => `#${id}`} />
    {operations.map((operation) => (
      <OperationSection operation={operation} {...shared} />
    ))}
  </>
);

interface OperationListProps {
  operations: NamedOperation[];
  linkTo: (operation: NamedOperation) => string;
  /** Whether the lines have the anchors from when all operations were on one page. */
  anchored?: boolean;
}

const OperationList = ({ operations, linkTo, anchored = false }: OperationListProps) => (
  <ul class="operation-list">
    {operations.map((operation) => (
      <li id={anchored ? operation.id : undefined}>
        <a href={linkTo(operation)}>
          <Method of={operation.method} /> <span>{operation.summary ?? operation.path}</span>
        </a>
      </li>
    ))}
  </ul>
);

/** Every operation, by tag. */
export const AllOperations = ({ groups }: { groups: Map<string, NamedOperation[]> }) => (
  <>
    {[...groups].map(([tag, operations]) => (
      <>
        <h3 id={`tag-${tag}`}>
          <a href={tagPath(tag)}>{tagTitle(tag)}</a>
        </h3>
        <OperationList operations={operations} linkTo={({ id }) => `${tagPath(tag)}#${id}`} anchored />
      </>
    ))}
  </>
);

interface SchemaReferenceProps {
  schemas: [name: string, schema: Schema][];
  api: OpenApi;
}

export const SchemaReference = ({ schemas, api }: SchemaReferenceProps) => (
  <>
    {schemas.map(([name, schema]) => (
      <section class="operation card" id={schemaId(name)}>
        <h2>
          <a href={`#${schemaId(name)}`}>{name}</a>
        </h2>
        {schema.description && <Prose text={schema.description} />}
        <SchemaFields of={schema} api={api} />
      </section>
    ))}
  </>
);

const SchemaFields = ({ of, api }: { of: Schema; api: OpenApi }) => {
  const kinds = kindsOf(of);
  if (of.properties) return <Fields of={of} />;
  if (!kinds.length)
    return (
      <p class="type">
        <Type of={of} />
      </p>
    );
  return (
    <>
      <p>
        The field <code>type</code> tells these apart:
      </p>
      {kinds.map(({ type, schema }) => (
        <details>
          <summary>
            <code>{type}</code>
          </summary>
          <Fields of={schema} />
          {raw(codeTabs([{ language: "json", code: exampleOfKind(schema, api) }], ""))}
        </details>
      ))}
    </>
  );
};
