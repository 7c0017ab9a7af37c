type Json = Record<string, unknown>;

/** Rewrites an OpenAPI 3.1 document as 3.0, which has no webhooks, for generators that know nothing newer. */
export function asOpenApi30({ webhooks: _, ...document }: Json): Json {
  return { ...(converted(document) as Json), openapi: "3.0.3" };
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (!isObject(value)) return value;
  const older = withNullable(withOlderNames(value));
  return Object.fromEntries(Object.entries(older).map(([name, inner]) => [name, converted(inner)]));
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

function withOlderNames({ const: only, examples, ...schema }: Json): Json {
  return {
    ...schema,
    ...(only !== undefined && { enum: [only] }),
    ...(examples !== undefined && (Array.isArray(examples) ? { example: examples[0] } : { examples })),
  };
}

/** Says `nullable` in place of the type `null`. */
function withNullable(schema: Json): Json {
  const { type, anyOf, enum: values } = schema;
  if (type === "null") return { ...schema, type: "string", nullable: true };
  if (Array.isArray(type))
    return {
      ...schema,
      type: type.find((one) => one !== "null"),
      nullable: true,
      ...(Array.isArray(values) && { enum: values.filter((one) => one !== null) }),
    };
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return schema;
  const { anyOf: _, ...others } = schema;
  return { ...others, allOf: anyOf.filter((one) => !isNull(one)), nullable: true };
}

const isNull = (schema: unknown) => isObject(schema) && schema.type === "null";
