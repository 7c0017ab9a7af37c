import { nameOf, type Schema } from "../../api/openapi/schema.ts";
import { Prose } from "../../ui/prose.tsx";
import { SCHEMAS_PATH } from "./pages.ts";

export const schemaId = (name: string): string => `schema-${name}`;

/** Describes a type in a few words. Named schemas link to their definition. */
export const Type = ({ of }: { of: Schema | undefined }) => {
  if (!of) return <span>anything</span>;
  if (of.$ref) {
    const name = nameOf(of.$ref);
    return <a href={`${SCHEMAS_PATH}#${schemaId(name)}`}>{name}</a>;
  }
  const alternatives = of.anyOf ?? of.oneOf ?? of.allOf;
  if (alternatives) return <Alternatives of={alternatives} />;
  if (of.const !== undefined) return <code>{JSON.stringify(of.const)}</code>;
  if (of.enum)
    return (
      <span class="values">
        {of.enum.map((value) => (
          <code>{JSON.stringify(value)}</code>
        ))}
      </span>
    );
  if (of.type === "array")
    return (
      <span>
        array of <Type of={of.items} />
      </span>
    );
  if (of.type === "object" && typeof of.additionalProperties === "object")
    return (
      <span>
        object of <Type of={of.additionalProperties} />
      </span>
    );
  const words = [of.type ?? "anything"].flat().join(" or ");
  return <span>{of.format ? `${words} (${of.format})` : words}</span>;
};

const Alternatives = ({ of }: { of: Schema[] }) => (
  <span>
    {of.map((alternative, index) => (
      <>
        {index > 0 && " or "}
        <Type of={alternative} />
      </>
    ))}
  </span>
);

/** Returns bounds in words. Omits those of a safe integer. */
export function boundsOf(schema: Schema | undefined): string {
  if (!schema) return "";
  const { minimum, maximum, minLength, maxLength } = schema;
  const least = minimum !== undefined && minimum > -Number.MAX_SAFE_INTEGER ? minimum : undefined;
  const most = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  return [
    least !== undefined && most !== undefined && `${least} to ${most}`,
    least !== undefined && most === undefined && `at least ${least}`,
    least === undefined && most !== undefined && `at most ${most}`,
    minLength && `at least ${minLength} ${minLength === 1 ? "character" : "characters"}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Returns the object whose fields stand below a field: its own, an item's, or an alternative's. */
export const fieldsOf = (schema: Schema): Schema | undefined =>
  [schema, schema.items, ...(schema.anyOf ?? schema.oneOf ?? []).flatMap((one) => [one, one.items])].find(
    (candidate) => candidate?.properties,
  );

/** A type in a few words. */
export function typeInWords(schema: Schema | undefined): string {
  if (!schema) return "";
  if (schema.$ref) return nameOf(schema.$ref);
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return alternatives.map(typeInWords).join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (schema.type === "array") return `array of ${typeInWords(schema.items) || "anything"}`;
  return [schema.type ?? []].flat().join(" or ");
}

/** A plain example. Those of objects and lists are shown within the example of the whole body. */
function exampleOf({ examples: [example] = [], enum: values }: Schema): string | undefined {
  const isPlain = typeof example === "string" || typeof example === "number";
  return isPlain && !values ? String(example) : undefined;
}

interface FieldProps {
  name: string;
  schema: Schema | undefined;
  description?: string | undefined;
  note: string;
  /** Which of its inner fields are marked. */
  marks?: Marks;
}

/** Bodies mark required fields, replies mark optional ones. */
type Marks = "required" | "optional";

export const Field = ({ name, schema, description, note, marks = "optional" }: FieldProps) => {
  const bounds = boundsOf(schema);
  const inner = schema && fieldsOf(schema);
  const example = schema && exampleOf(schema);
  return (
    <div class="field">
      <dt>
        <code>{name}</code>
        {note && <span class="note">{note}</span>}
      </dt>
      <dd>
        <p class="type">
          <Type of={schema} />
          {bounds && <span class="bounds">{bounds}</span>}
        </p>
        {description && <Prose text={description} />}
        {example && (
          <p class="bounds">
            For example <code>{example}</code>
          </p>
        )}
      </dd>
      {inner && (
        <dd class="inner">
          <Fields of={inner} marks={marks} />
        </dd>
      )}
    </div>
  );
};

interface FieldsProps {
  of: Schema;
  marks?: Marks;
  /** Another note on a field, beside its name. */
  noteOn?: (name: string) => string;
}

/** An object's fields. */
export const Fields = ({ of, marks = "optional", noteOn = () => "" }: FieldsProps) => {
  const required = new Set(of.required ?? []);
  const noteOf = (name: string) =>
    [required.has(name) === (marks === "required") ? marks : "", noteOn(name)].filter(Boolean).join(", ");
  return (
    <dl class="fields">
      {Object.entries(of.properties ?? {}).map(([name, schema]) => (
        <Field
          name={name}
          schema={schema}
          description={schema.description}
          note={noteOf(name)}
          marks={marks}
        />
      ))}
    </dl>
  );
};
