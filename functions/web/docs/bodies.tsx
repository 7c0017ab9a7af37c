import { nameOf, type Schema } from "../../api/openapi/schema.ts";
import type { NamedOperation, OpenApi } from "./document.ts";
import { boundsOf, Fields, fieldsOf, Type, typeInWords } from "./schema.tsx";

/** A body in one notation. XML takes the fields of JSON, and both kinds of forms share theirs. */
interface Notation {
  mediaTypes: string[];
  schema: Schema;
  /** Fields that only a multipart form has, such as files. */
  multipartOnly: Set<string>;
}

const MULTIPART = "multipart/form-data";
const isForm = (mediaType: string) => mediaType === MULTIPART || mediaType.endsWith("form-urlencoded");

/** The notations of an operation's body, with every field. */
export function notationsOf({ requestBody }: NamedOperation, api: OpenApi): Notation[] {
  const content = Object.entries(requestBody?.content ?? {}).map(
    ([mediaType, { schema = {} }]) => [mediaType, inFull(schema, api)] as const,
  );
  const forms = content.filter(([mediaType]) => isForm(mediaType));
  const [first, ...others] = content.filter(([mediaType]) => !isForm(mediaType));
  return [
    ...(first
      ? [
          {
            mediaTypes: [first, ...others].map(([mediaType]) => mediaType),
            schema: first[1],
            multipartOnly: new Set<string>(),
          },
        ]
      : []),
    ...(forms.length ? [formOf(forms)] : []),
  ];
}

function formOf(forms: (readonly [string, Schema])[]): Notation {
  const fields = forms.flatMap(([mediaType, { properties = {} }]) =>
    Object.entries(properties)
      // A form's `track` is excluded in favour of `track[…]`.
      .filter(([, { type }]) => type !== "null")
      .map(([name, schema]) => ({ mediaType, name, schema })),
  );
  const namedBy = (name: string) =>
    fields.filter((field) => field.name === name).map(({ mediaType }) => mediaType);
  const names = [...new Set(fields.map(({ name }) => name))];
  const isMultipartOnly = (name: string) => namedBy(name).every((mediaType) => mediaType === MULTIPART);
  return {
    mediaTypes: forms.map(([mediaType]) => mediaType),
    schema: {
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
      required: names.filter((name) => forms.every(([, { required = [] }]) => required.includes(name))),
    },
    multipartOnly: new Set(forms.length > 1 ? names.filter(isMultipartOnly) : []),
  };
}

/** The schema with those that it refers to in their places. No schema of a request contains itself. */
function inFull(schema: Schema, api: OpenApi): Schema {
  if (schema.$ref !== undefined) {
    const { $ref, ...beside } = schema;
    return { ...inFull(api.components.schemas[nameOf($ref)] ?? {}, api), ...beside };
  }
  return {
    ...schema,
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, field]) => [name, inFull(field, api)]),
      ),
    }),
    ...(schema.items && { items: inFull(schema.items, api) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map((one) => inFull(one, api)) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map((one) => inFull(one, api)) }),
  };
}

export const Body = ({ operation, api }: { operation: NamedOperation; api: OpenApi }) => {
  const [first, ...others] = notationsOf(operation, api);
  if (!first) return null;
  return (
    <>
      <h3>Body</h3>
      <MediaTypes of={first} />
      <NotationFields of={first} />
      {others.map((notation) => (
        <details>
          <summary>
            As a form: <MediaTypes of={notation} />
          </summary>
          <NotationFields of={notation} />
        </details>
      ))}
    </>
  );
};

const MediaTypes = ({ of }: { of: Notation }) => (
  <span>
    {of.mediaTypes.map((mediaType, index) => (
      <>
        {index > 0 && " or "}
        <code>{mediaType}</code>
      </>
    ))}
  </span>
);

const NotationFields = ({ of: { schema, multipartOnly } }: { of: Notation }) => {
  const fields = fieldsOf(schema);
  return (
    <>
      {fields !== schema && !schema.properties && (
        <p class="type">
          <Type of={schema} />
        </p>
      )}
      {fields && (
        <Fields
          of={fields}
          marks="required"
          noteOn={(name) => (multipartOnly.has(name) ? "multipart only" : "")}
        />
      )}
    </>
  );
};

/** The same as Markdown. */
export const bodyAsMarkdown = (operation: NamedOperation, api: OpenApi): string =>
  notationsOf(operation, api)
    .map(({ mediaTypes, schema, multipartOnly }) => {
      const fields = fieldsOf(schema);
      const types = mediaTypes.map((mediaType) => `\`${mediaType}\``).join(" or ");
      return `Body, as ${types}:\n\n${fields ? linesOf(fields, multipartOnly).join("\n") : typeInWords(schema)}`;
    })
    .join("\n\n");

function linesOf({ properties = {}, required = [] }: Schema, multipartOnly = new Set<string>()): string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const facts = [
      typeInWords(field),
      required.includes(name) && "required",
      multipartOnly.has(name) && "multipart only",
      boundsOf(field),
    ];
    const inner = fieldsOf(field);
    return [
      `- \`${name}\` (${facts.filter(Boolean).join(", ")})${field.description ? `: ${field.description}` : ""}`,
      ...(inner ? linesOf(inner).map((line) => `  ${line}`) : []),
    ];
  });
}
