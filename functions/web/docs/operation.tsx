import { raw } from "hono/html";
import type { Parameter } from "../../api/openapi/schema.ts";
import { deprecationsOf } from "../../lib/http/deprecations.ts";
import { reasonOf } from "../../lib/http/errors.ts";
import { Prose, Sentence } from "../../ui/prose.tsx";
import { Body } from "./bodies.tsx";
import { codeTabs } from "./code-tabs.ts";
import { datesOf } from "./deprecations.tsx";
import { exampleIn, type NamedOperation, type OpenApi, type Reply, repliesOf } from "./document.ts";
import { explanationOf } from "./errors.tsx";
import { type ExampleRequest, exampleRequest } from "./request.ts";
import { namesIn, type Samples, withNames, withSamples } from "./sample-ids.ts";
import { Field, Type } from "./schema.tsx";
import { snippetsOf } from "./snippets.ts";

interface OperationProps {
  operation: NamedOperation;
  api: OpenApi;
  /** Ids that visitors see in samples. */
  samples: Samples;
}

export const OperationSection = ({ operation, api, samples }: OperationProps) => (
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
    {deprecationsOf(operation.operationId ?? "").map((one) => (
      <p class="deprecated">
        <strong>{datesOf(one)}</strong> <a href={one.replacement}>What replaces it</a>
      </p>
    ))}
    {operation.description && <Prose text={operation.description} />}
    <Parameters title="In the path" of={operation.parameters} where="path" />
    <Parameters title="In the query" of={operation.parameters} where="query" />
    <Parameters title="In headers" of={operation.parameters} where="header" />
    <Body operation={operation} api={api} />
    <Replies of={repliesOf(operation, api)} />
    <Examples operation={operation} api={api} samples={samples} />
  </section>
);

/** Operations whose URL only replies hold have no example request. */
const Examples = ({ operation, api, samples }: OperationProps) => {
  const request = exampleRequest(operation, api);
  const reply = exampleReply(operation, api);
  return (
    <>
      {request && <h3>Example</h3>}
      {request && (
        <Sample
          request={request}
          samples={samples}
          id={`example-${operation.id}`}
          isRunnable={isOfApi(request, api)}
        />
      )}
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

interface SampleProps {
  request: ExampleRequest;
  samples: Samples;
  id: string;
  isRunnable: boolean;
}

/** The script adds a button that runs it, and fills in the reader's ids. */
const Sample = ({ request, samples, id, isRunnable }: SampleProps) => {
  const { method, path, json, needsToken } = request;
  const plain = (text: string) => withSamples(text, {});
  const body = json === undefined ? undefined : plain(withNames(JSON.stringify(json, null, 2)));
  const run = {
    "data-method": method,
    "data-path": plain(path),
    "data-body": body,
    "data-needs-token": needsToken ? "true" : undefined,
  };
  const code = codeTabs(snippetsOf(request), id);
  return (
    <div class="sample" {...(isRunnable ? run : {})}>
      {raw(withSamples(code, samples))}
      {namesIn(code, samples).map(([name, makes]) => (
        <p class="hint" data-needs={name}>
          <code>{name}</code> stands for one of yours: <a href={makes}>where it comes from</a>.
        </p>
      ))}
    </div>
  );
};

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
  const [scope = ""] = security.flatMap(({ user = [] }) => user);
  const ofUser = scope === "*" ? "a user's without limits" : `a user's with the scope ${scope}`;
  const isForApps = security.some((one) => "app" in one);
  return `Needs an access token: ${isForApps ? `an app's, or ${ofUser}` : ofUser}`;
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
