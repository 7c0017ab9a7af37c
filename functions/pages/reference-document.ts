/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

type Content = Record<string, { schema?: Schema }>;

export interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, Reply>;
}

/** An operation's own reply, or `$ref` to a shared one, perhaps with another description. */
export interface Reply {
  $ref?: string;
  description?: string;
  content?: Content;
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Reply> };
}

export interface NamedOperation extends Operation {
  /** Anchor on the page. */
  id: string;
  method: string;
  path: string;
}

/** The document comes from functions/openapi.ts, so its shape is known. */
export const asOpenApi = (document: Record<string, unknown>): OpenApi => document as unknown as OpenApi;

/** Groups by tag, in the order in which tags first appear. */
export function operationsByTag({ paths }: OpenApi): [tag: string, NamedOperation[]][] {
  const groups = new Map<string, NamedOperation[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] || "other";
      const id = `${method}${path}`.replace(/[^\w]+/g, "-").replace(/-$/, "");
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, id, method: method.toUpperCase(), path }]);
    }
  }
  return [...groups];
}

/** Replies by status, shared ones included. An operation's own description comes first. */
export const repliesOf = ({ responses = {} }: Operation, { components }: OpenApi): Record<string, Reply> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, reply]) => [
      status,
      reply.$ref ? { ...components.responses[nameOf(reply.$ref)], ...reply } : reply,
    ]),
  );

export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const REASONS: Record<string, string> = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  206: "Partial Content",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  406: "Not Acceptable",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};

/** The document's description, unless it only repeats the number. */
export const meaningOf = (status: string, description: string | undefined): string =>
  description && description !== status ? description : (REASONS[status] ?? "");
