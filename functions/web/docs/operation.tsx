import { raw } from "hono/html";
import type { Parameter } from "../../api/openapi/schema.ts";
import { reasonOf } from "../../lib/http/errors.ts";
import { Prose, Sentence } from "../../ui/prose.tsx";
import { codeTabs } from "./code-tabs.ts";
import { exampleIn, type NamedOperation, type OpenApi, type Reply, repliesOf } from "./document.ts";
import { explanationOf } from "./errors.tsx";
import { type ExampleRequest, exampleRequest } from "./request.ts";
import { Field, Fields, Type } from "./schema.tsx";
import { snippetsOf } from "./snippets.ts";

interface OperationProps {
  operation: NamedOperation;
  api: OpenApi;
  /** The page that gives readers a token for trying the API. */
  tokenPage: string;
}

export const OperationSection = ({ operation, api, tokenPage }: OperationProps) => (
  <section class="operation card" id={operation.id}>
    <header>
      <h2>
        <a href={`#${operation.id}`}>{operation.summary ?? operation.path}</a>
      </h2>
      <p class="route">
        <Method of={operation.method} /> <code>{operation.path}</code>
      </p>
      <p class="who">{whoMay(operation)}</p>
    </header>
    {operation.description && <Prose text={operation.description} />}
    <Parameters title="In the path" of={operation.parameters} where="path" />
    <Parameters title="In the query" of={operation.parameters} where="query" />
    <Parameters title="In headers" of={operation.parameters} where="header" />
    <Body operation={operation} />
    <Replies of={repliesOf(operation, api)} />
    <Examples operation={operation} api={api} tokenPage={tokenPage} />
  </section>
);

/** Operations whose URL only replies hold have no example request. */
const Examples = ({ operation, api, tokenPage }: OperationProps) => {
  const request = exampleRequest(operation, api);
  const reply = exampleReply(operation, api);
  return (
    <>
      {request && <h3>Example</h3>}
      {request && raw(codeTabs(snippetsOf(request), `example-${operation.id}`))}
      {request && isOfApi(request, api) && <Try request={request} tokenPage={tokenPage} />}
      {reply !== undefined && (
        <details class="example-reply">
          <summary>Example of the reply</summary>
          {raw(codeTabs([{ language: "json", code: reply }], ""))}
        </details>
      )}
    </>
  );
};

/**
 * Whether the request goes to the docs' own host, the only one that their policy allows. The authorization server may
 * have another.
 */
const isOfApi = ({ url, path }: ExampleRequest, { servers }: OpenApi): boolean =>
  url === `${servers[0]?.url}${path}`;

/** The script turns it into a form. Without the script it stays empty. */
const Try = ({ request, tokenPage }: { request: ExampleRequest; tokenPage: string }) => (
  <div
    class="try"
    data-method={request.method}
    data-path={request.path}
    data-body={request.json === undefined ? undefined : JSON.stringify(request.json, null, 2)}
    data-needs-token={request.needsToken ? "true" : undefined}
    data-token-page={tokenPage}
  />
);

/** The example JSON of the first successful reply. */
export function exampleReply(operation: NamedOperation, api: OpenApi): string | undefined {
  const [, reply] = Object.entries(repliesOf(operation, api)).find(([status]) => status < "300") ?? [];
  const example = exampleIn(reply?.content?.["application/json"], api);
  return example === undefined ? undefined : JSON.stringify(example, null, 2);
}

/** The document's description, unless it only repeats the status. */
export const meaningOf = (status: string, description: string | undefined): string =>
  description && description !== status ? description : reasonOf(Number(status));

export const Method = ({ of }: { of: string }) => <span class={`method ${of.toLowerCase()}`}>{of}</span>;

export function whoMay({ security = [] }: NamedOperation): string {
  if (!security.length) return "Open to everybody, no token needed";
  if (security.some((one) => "client" in one)) return "Needs the app's credentials, no token";
  const isForApps = security.some((one) => "app" in one);
  return isForApps ? "Needs an access token, an app's or a user's" : "Needs a user's access token";
}

interface ParametersProps {
  title: string;
  of: Parameter[];
  where: string;
}

const Parameters = ({ title, of, where }: ParametersProps) => {
  const here = of.filter((parameter) => parameter.in === where);
  if (!here.length) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl class="fields">
        {here.map(({ name, schema, description, required }) => (
          <Field
            name={name}
            schema={schema}
            description={description}
            note={required && where !== "path" ? "required" : ""}
          />
        ))}
      </dl>
    </>
  );
};

const Body = ({ operation }: { operation: NamedOperation }) => {
  const content = Object.entries(operation.requestBody?.content ?? {});
  const schema = operation.requestBody?.content["application/json"]?.schema ?? content[0]?.[1].schema;
  if (!content.length) return null;
  return (
    <>
      <h3>Body</h3>
      <p>
        {schema?.$ref && <Type of={schema} />}
        {schema?.$ref && ", as "}
        {content.map(([mediaType], index) => (
          <>
            {index > 0 && " or "}
            <code>{mediaType}</code>
          </>
        ))}
      </p>
      {schema?.properties && <Fields of={schema} marks="required" />}
    </>
  );
};

type Content = NonNullable<Reply["content"]>;

/** Omits the other formats of JSON, which the introduction explains. */
function shown(content: Content): [mediaType: string, Content[string]][] {
  const json = content["application/json"];
  return json?.schema ? [["application/json", json]] : Object.entries(content);
}

const Status = ({ of }: { of: string }) => {
  const code = <code class={of < "400" ? "status good" : "status"}>{of}</code>;
  const explanation = explanationOf(of);
  return explanation ? <a href={explanation}>{code}</a> : code;
};

const Replies = ({ of }: { of: Record<string, Reply> }) => (
  <>
    <h3>Replies</h3>
    <ul class="replies">
      {Object.entries(of).map(([status, { description, content = {} }]) => (
        <li>
          <Status of={status} />
          <span>
            <Sentence text={meaningOf(status, description)} />
          </span>
          {shown(content).map(([mediaType, { schema }]) => (
            <span class="reply-type">{schema ? <Type of={schema} /> : <code>{mediaType}</code>}</span>
          ))}
        </li>
      ))}
    </ul>
  </>
);
