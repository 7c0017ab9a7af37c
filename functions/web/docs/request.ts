import { nameOf, type Parameter } from "../../api/openapi/schema.ts";
import { withBraces } from "./code-tabs.ts";
import { exampleIn, type NamedOperation, type OpenApi } from "./document.ts";
import { mayNameOthers, nameFor } from "./sample-ids.ts";

/** A request that an operation's snippets send. */
export interface ExampleRequest {
  method: string;
  /** Includes the query. */
  path: string;
  url: string;
  needsToken: boolean;
  json?: unknown;
  /** Whether the reply is JSON, and not a file. */
  repliesJson: boolean;
}

/** Fields of an example object. More would hide the important ones. */
const MOST_FIELDS = 4;

/**
 * Composes a request from the document's examples. `undefined` if its URL comes from a reply, such as a signed
 * stream's.
 */
export function exampleRequest(operation: NamedOperation, api: OpenApi): ExampleRequest | undefined {
  const { method, path, parameters, security = [], tag } = operation;
  // The guide to tokens shows these with an app's credentials.
  if (tag === "oauth" && method === "POST") return undefined;
  if (parameters.some((parameter) => parameter.name === "client_id" && parameter.required)) return undefined;
  // A stream of events does not end, so an example that reads its reply would not either.
  if (operation.responses?.[200]?.content?.["text/event-stream"]) return undefined;
  const any = mayNameOthers(operation) ? "ANY_" : "";
  const values = new Map(
    parameters.map((parameter) => {
      const name = parameter.in === "path" ? nameFor(operation, parameter.name) : undefined;
      return [parameter, name ? `{${any}${name}}` : exampleOf(parameter, api)];
    }),
  );
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const needed = parameters.filter((parameter) => parameter.in === "path" || parameter.required);
  if (needed.some((parameter) => values.get(parameter) === undefined)) return undefined;
  const address = inPath.reduce(
    (text, parameter) =>
      text.replace(`{${parameter.name}}`, encodeURIComponent(String(values.get(parameter)))),
    path,
  );
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map((parameter) => [parameter.name, String(values.get(parameter))]);
  const ownBody = BODIES[`${method} ${path}`];
  const body = ownBody ? { json: ownBody } : bodyOf(operation, api);
  if (body === undefined) return undefined;
  const whole = withBraces(`${address}${query.length ? `?${new URLSearchParams(query)}` : ""}`);
  return {
    method,
    path: whole,
    url: originOf(operation, api) + whole,
    needsToken: security.length > 0,
    ...body,
    repliesJson: repliesJson(operation),
  };
}

/** The authorization server's endpoints have its host. */
function originOf({ servers = [] }: NamedOperation, api: OpenApi): string {
  return servers[0]?.url ?? api.servers[0]?.url ?? "";
}

/** Bodies that can be sent as they are, where the document's examples show every field. */
const BODIES: Record<string, unknown> = {
  "PUT /me": { user: { description: "Songs from the harbour.", website: "https://ana.example" } },
  "PUT /me/permalink": { permalink: "{USER_PERMALINK}" },
  "PUT /tracks/{id}/permalink": { permalink: "harbour-lights" },
  "PUT /playlists/{id}/permalink": { permalink: "harbour-lights" },
  "POST /uploads/{id}/parts": { numbers: [1] },
  "PUT /me/webhooks/{id}": { events: ["like.created"], enabled: true },
  "PUT /playlists/{id}/tracks": { tracks: [{ id: 338914811904001 }] },
  "POST /tracks/{id}/comments": { comment: { body: "Lovely bass line", timestamp: 1000 } },
};

function exampleOf({ name, schema }: Parameter, { components }: OpenApi): unknown {
  const found = schema?.$ref ? components.schemas[nameOf(schema.$ref)] : schema;
  const given = found?.examples?.[0] ?? found?.default ?? found?.enum?.[0];
  if (given !== undefined) return given;
  if ([found?.type].flat().includes("integer")) return 1;
  return name === "url" ? "{ANY_TRACK_PAGE}" : undefined;
}
const repliesJson = ({ responses = {} }: NamedOperation): boolean =>
  Object.entries(responses).some(
    ([status, { content = {} }]) => status.startsWith("2") && "application/json" in content,
  );

/** `undefined` if the body can only be a file. */
function bodyOf({ requestBody }: NamedOperation, api: OpenApi): Pick<ExampleRequest, "json"> | undefined {
  const content = requestBody?.content;
  if (!content) return {};
  const json = content["application/json"];
  return json && { json: shortened(exampleIn(json, api)) };
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  const all = Object.entries(value);
  const given = all.filter(([name, inner]) => inner !== null && !(name === "urn" && "id" in value));
  // A body of nulls alone removes something.
  const fields = given.length ? given : all;
  return Object.fromEntries(fields.slice(0, MOST_FIELDS).map(([name, inner]) => [name, shortened(inner)]));
}
