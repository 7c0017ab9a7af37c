import type { Schema } from "../../api/openapi/schema.ts";
import { Prose } from "../../ui/prose.tsx";
import type { NamedOperation, OpenApi } from "./document.ts";
import { Method, OperationSection } from "./operation.tsx";
import { tagPath, tagTitle } from "./pages.ts";
import { Fields, schemaId, Type } from "./schema.tsx";

interface TagReferenceProps {
  operations: NamedOperation[];
  api: OpenApi;
  tokenPage: string;
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

export const SchemaReference = ({ schemas }: { schemas: [name: string, schema: Schema][] }) => (
  <>
    {schemas.map(([name, schema]) => (
      <section class="operation card" id={schemaId(name)}>
        <h2>
          <a href={`#${schemaId(name)}`}>{name}</a>
        </h2>
        {schema.description && <Prose text={schema.description} />}
        {schema.properties ? (
          <Fields of={schema} />
        ) : (
          <p class="type">
            <Type of={schema} />
          </p>
        )}
      </section>
    ))}
  </>
);
