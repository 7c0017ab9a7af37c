import type { Parameter, Schema } from "../../api/openapi/schema.ts";
import { deprecationsOf } from "../../lib/http/deprecations.ts";
import { bodyAsMarkdown } from "./bodies.tsx";
import { datesOf } from "./deprecations.tsx";
import { type NamedOperation, type OpenApi, repliesOf } from "./document.ts";
import { exampleOfKind, kindsOf } from "./kinds.ts";
import { exampleReply, meaningOf, whoMay } from "./operation.tsx";
import { exampleRequest } from "./request.ts";
import { boundsOf, typeInWords } from "./schema.tsx";
import { snippetsOf } from "./snippets.ts";

/** The operations of a tag as Markdown. */
export const operationsAsMarkdown = (operations: NamedOperation[], api: OpenApi): string =>
  operations.map((operation) => operationAsMarkdown(operation, api)).join("\n\n");

function operationAsMarkdown(operation: NamedOperation, api: OpenApi): string {
  const { summary, path, method, description, parameters, operationId } = operation;
  const request = exampleRequest(operation, api);
  const reply = exampleReply(operation, api);
  return [
    `## ${summary ?? path}`,
    `\`${method} ${path}\` · ${whoMay(operation)}`,
    ...deprecationsOf(operationId ?? "").map(
      (one) => `**${datesOf(one)}** [What replaces it](${one.replacement}).`,
    ),
    description,
    parameters.map(parameterLine).join("\n"),
    bodyAsMarkdown(operation, api),
    repliesAsMarkdown(operation, api),
    ...(request ? snippetsOf(request).map(({ language, code }) => fence(language, code)) : []),
    reply && fence("json", reply),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

const parameterLine = ({ name, in: where, required, schema, description }: Parameter): string =>
  `- \`${name}\` (${[where, required && where !== "path" && "required", typeInWords(schema), boundsOf(schema)]
    .filter(Boolean)
    .join(", ")})${description ? `: ${description}` : ""}`;

const repliesAsMarkdown = (operation: NamedOperation, api: OpenApi): string =>
  Object.entries(repliesOf(operation, api))
    .map(([status, { description, content = {} }]) => {
      const type = typeInWords(content["application/json"]?.schema);
      return `- ${status}: ${meaningOf(status, description)}${type && ` (${type})`}`;
    })
    .join("\n");

export const schemasAsMarkdown = (schemas: [name: string, schema: Schema][], api: OpenApi): string =>
  schemas
    .map(([name, schema]) =>
      [
        `## ${name}`,
        schema.description,
        kindsAsMarkdown(schema, api) || fieldsAsMarkdown(schema) || typeInWords(schema),
      ]
        .filter(Boolean)
        .join("\n\n"),
    )
    .join("\n\n");

const kindsAsMarkdown = (schema: Schema, api: OpenApi): string =>
  kindsOf(schema)
    .map((kind) =>
      [
        `### ${kind.type}`,
        fieldsAsMarkdown(kind.schema),
        fence("json", exampleOfKind(kind.schema, api)),
      ].join("\n\n"),
    )
    .join("\n\n");

const fieldsAsMarkdown = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .map(([name, field]) => {
      const facts = [typeInWords(field), required.includes(name) ? "" : "optional", boundsOf(field)].filter(
        Boolean,
      );
      return `- \`${name}\` (${facts.join(", ")})${field.description ? `: ${field.description}` : ""}`;
    })
    .join("\n");
