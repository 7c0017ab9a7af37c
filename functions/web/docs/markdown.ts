import type { Parameter, Schema } from "../../api/openapi/schema.ts";
import { type NamedOperation, nameOf, type OpenApi, repliesOf } from "./document.ts";
import { exampleReply, meaningOf, whoMay } from "./operation.tsx";
import { exampleRequest } from "./request.ts";
import { boundsOf } from "./schema.tsx";
import { snippetsOf } from "./snippets.ts";

/** The operations of a tag as Markdown. */
export const operationsAsMarkdown = (operations: NamedOperation[], api: OpenApi): string =>
  operations.map((operation) => operationAsMarkdown(operation, api)).join("\n\n");

function operationAsMarkdown(operation: NamedOperation, api: OpenApi): string {
  const { summary, path, method, description, parameters } = operation;
  const request = exampleRequest(operation, api);
  const reply = exampleReply(operation, api);
  return [
    `## ${summary ?? path}`,
    `\`${method} ${path}\` · ${whoMay(operation)}`,
    description,
    parameters.map(parameterLine).join("\n"),
    bodyAsMarkdown(operation),
    repliesAsMarkdown(operation, api),
    ...(request ? snippetsOf(request).map(({ language, code }) => fence(language, code)) : []),
    reply && fence("json", reply),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

const parameterLine = ({ name, in: where, required, schema, description }: Parameter): string =>
  `- \`${name}\` (${[where, required && where !== "path" && "required", typeOf(schema), boundsOf(schema)]
    .filter(Boolean)
    .join(", ")})${description ? `: ${description}` : ""}`;

function bodyAsMarkdown({ requestBody }: NamedOperation): string | undefined {
  const content = Object.entries(requestBody?.content ?? {});
  const schema = requestBody?.content["application/json"]?.schema ?? content[0]?.[1].schema;
  if (!schema) return undefined;
  const types = content.map(([mediaType]) => `\`${mediaType}\``).join(" or ");
  const fields = fieldsAsMarkdown(schema);
  return `Body: ${schema.$ref ? `${typeOf(schema)}, as ` : ""}${types}${fields && `\n\n${fields}`}`;
}

const repliesAsMarkdown = (operation: NamedOperation, api: OpenApi): string =>
  Object.entries(repliesOf(operation, api))
    .map(([status, { description, content = {} }]) => {
      const type = typeOf(content["application/json"]?.schema);
      return `- ${status}: ${meaningOf(status, description)}${type && ` (${type})`}`;
    })
    .join("\n");

export const schemasAsMarkdown = (schemas: [name: string, schema: Schema][]): string =>
  schemas
    .map(([name, schema]) =>
      [`## ${name}`, schema.description, fieldsAsMarkdown(schema) || typeOf(schema)]
        .filter(Boolean)
        .join("\n\n"),
    )
    .join("\n\n");

const fieldsAsMarkdown = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .map(([name, field]) => {
      const facts = [typeOf(field), required.includes(name) ? "" : "optional", boundsOf(field)].filter(
        Boolean,
      );
      return `- \`${name}\` (${facts.join(", ")})${field.description ? `: ${field.description}` : ""}`;
    })
    .join("\n");

/** A type in a few words. */
function typeOf(schema: Schema | undefined): string {
  if (!schema) return "";
  if (schema.$ref) return nameOf(schema.$ref);
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return alternatives.map(typeOf).join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (schema.type === "array") return `array of ${typeOf(schema.items) || "anything"}`;
  return [schema.type ?? []].flat().join(" or ");
}
