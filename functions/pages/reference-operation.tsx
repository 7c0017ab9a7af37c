import { ERROR_TYPES } from "../error-types.ts";
import { typeOf } from "../http/errors.ts";
import { Prose } from "../site/prose.tsx";
import {
  meaningOf,
  type NamedOperation,
  type OpenApi,
  type Parameter,
  type Reply,
  repliesOf,
} from "./reference-document.ts";
import { curlExample } from "./reference-example.ts";
import { Field, Fields, Type } from "./reference-schema.tsx";

export const OperationSection = ({ operation, api }: { operation: NamedOperation; api: OpenApi }) => (
  <section class="operation card" id={operation.id}>
    <header>
      <h3>
        <a href={`#${operation.id}`}>{operation.summary ?? operation.path}</a>
      </h3>
      <p class="route">
        <Method of={operation.method} /> <code>{operation.path}</code>
      </p>
      <p class="who">{whoMay(operation)}</p>
    </header>
    {operation.description && <Prose text={operation.description} />}
    <Parameters title="In the path" of={operation.parameters} where="path" />
    <Parameters title="In the query" of={operation.parameters} where="query" />
    <Body operation={operation} />
    <Replies of={repliesOf(operation, api)} />
    <h4>Example</h4>
    {/* Scrolls sideways, so keyboards need to focus it. */}
    <pre tabIndex={0}>
      <code>{curlExample(operation, api)}</code>
    </pre>
  </section>
);

export const Method = ({ of }: { of: string }) => <span class={`method ${of.toLowerCase()}`}>{of}</span>;

function whoMay({ security = [] }: NamedOperation): string {
  if (!security.length) return "Open to everybody, no token needed";
  const isForApps = security.some((one) => "app" in one);
  return isForApps ? "Needs an access token, an app's or a user's" : "Needs a user's access token";
}

interface ParametersProps {
  title: string;
  of: Parameter[] | undefined;
  where: string;
}

const Parameters = ({ title, of = [], where }: ParametersProps) => {
  const here = of.filter((parameter) => parameter.in === where);
  if (!here.length) return null;
  return (
    <>
      <h4>{title}</h4>
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
      <h4>Body</h4>
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

/** Leaves out the other formats of JSON, which the introduction explains. */
function shown(content: Content): [mediaType: string, Content[string]][] {
  const json = content["application/json"];
  return json?.schema ? [["application/json", json]] : Object.entries(content);
}

const Status = ({ of }: { of: string }) => {
  const code = <code class={of < "400" ? "status good" : "status"}>{of}</code>;
  const type = typeOf({ status: Number(of), type: undefined });
  return type in ERROR_TYPES ? <a href={`/docs/errors#${type}`}>{code}</a> : code;
};

const Replies = ({ of }: { of: Record<string, Reply> }) => (
  <>
    <h4>Replies</h4>
    <ul class="replies">
      {Object.entries(of).map(([status, { description, content = {} }]) => (
        <li>
          <Status of={status} />
          <span>{meaningOf(status, description)}</span>
          {shown(content).map(([mediaType, { schema }]) => (
            <span class="reply-type">{schema ? <Type of={schema} /> : <code>{mediaType}</code>}</span>
          ))}
        </li>
      ))}
    </ul>
  </>
);
