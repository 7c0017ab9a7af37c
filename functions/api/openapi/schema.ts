/** The part of JSON Schema 2020-12 that our schemas use. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  /** A schema's own example. The document has it among `examples`. */
  example?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  exclusiveMinimum?: number;
}

/** Name of the component that a `$ref` leads to. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** The schemas directly inside. */
export const innerSchemas = (schema: Schema): Schema[] => [
  ...Object.values(schema.properties ?? {}),
  ...(schema.items ? [schema.items] : []),
  ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
  ...(schema.allOf ?? []),
];

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  examples?: unknown;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses?: Record<string, { $ref?: string; content?: Record<string, MediaType> }>;
}

export interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { $ref: string } | { value: unknown }>;
}

export interface ApiDocument {
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, { content?: Record<string, MediaType> }>;
    parameters?: Record<string, Parameter>;
    examples?: Record<string, { value: unknown }>;
  };
}

export const operationsIn = ({ paths = {}, webhooks = {} }: ApiDocument): Operation[] =>
  [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) => Object.values(methods));

/** Returns an operation's parameters, shared ones included. */
export const parametersOf = (
  { parameters = [] }: Pick<Operation, "parameters">,
  { components }: { components: Pick<ApiDocument["components"], "parameters"> },
): Parameter[] =>
  parameters.flatMap((one) => ("$ref" in one ? (components.parameters?.[nameOf(one.$ref)] ?? []) : one));

/** Bodies of requests and replies, shared replies included. */
export const mediaTypesIn = (document: ApiDocument): MediaType[] =>
  [
    ...operationsIn(document).flatMap(({ requestBody, responses = {} }) => [
      requestBody?.content,
      ...Object.values(responses).map(({ content }) => content),
    ]),
    ...Object.values(document.components.responses).map(({ content }) => content),
  ].flatMap((content) => Object.values(content ?? {}));

/** Each outermost schema of the document. */
export const schemasIn = (document: ApiDocument): Schema[] => [
  ...Object.values(document.components.schemas),
  ...mediaTypesIn(document).flatMap(({ schema }) => schema ?? []),
  ...operationsIn(document).flatMap((operation) =>
    parametersOf(operation, document).flatMap(({ schema }) => schema ?? []),
  ),
];
