import {
  type Operation as ApiOperation,
  nameOf,
  type Parameter,
  parametersOf,
  type Schema,
} from "../../api/openapi/schema.ts";

type Example = { $ref?: string; value?: unknown };
interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
}
type Content = Record<string, MediaType>;

/** The parts of an OpenAPI 3.1 document that the reference shows. */
interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  security?: Record<string, string[]>[];
  servers?: { url: string }[];
  parameters?: ApiOperation["parameters"];
  requestBody?: { content: Content };
  responses?: Record<string, Reply>;
}

/** An operation's own reply, or a `$ref` to a shared one, possibly with another description. */
export interface Reply {
  $ref?: string;
  description?: string;
  content?: Content;
}

export interface OpenApi {
  info: { title: string; description?: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Reply>;
    parameters?: Record<string, Parameter>;
    examples?: Record<string, Example>;
  };
}

export interface NamedOperation extends Operation {
  /** Includes shared parameters. */
  parameters: Parameter[];
  /** Anchor on the page. */
  id: string;
  method: string;
  path: string;
  tag: string;
}

/** The document comes from functions/api/openapi/document.ts, so its shape is known. */
export const asOpenApi = (document: Record<string, unknown>): OpenApi => document as unknown as OpenApi;

/** Groups by tag, in the document's order of tags. */
export function operationsByTag(api: OpenApi): Map<string, NamedOperation[]> {
  const groups = new Map<string, NamedOperation[]>(api.tags.map(({ name }) => [name, []]));
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag = ""] = operation.tags ?? [];
      const id = `${method}${path}`.replace(/[^\w]+/g, "-").replace(/-$/, "");
      const parameters = parametersOf(operation, api);
      groups.get(tag)?.push({ ...operation, parameters, id, method: method.toUpperCase(), path, tag });
    }
  }
  return groups;
}

/** Replies by status, shared ones included. An operation's own description comes first. */
export const repliesOf = ({ responses = {} }: Operation, { components }: OpenApi): Record<string, Reply> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, reply]) => [
      status,
      reply.$ref ? { ...components.responses[nameOf(reply.$ref)], ...reply } : reply,
    ]),
  );

/** The example of a body, which may be a shared one of the document. */
export function exampleIn(mediaType: MediaType | undefined, { components }: OpenApi): unknown {
  if (!mediaType || mediaType.example !== undefined) return mediaType?.example;
  const [first] = Object.values(mediaType.examples ?? {});
  return first?.$ref ? components.examples?.[nameOf(first.$ref)]?.value : first?.value;
}
