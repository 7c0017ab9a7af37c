import * as z from "zod";

type Kind = "string" | "number" | "boolean" | "array" | "object";

/** Facts that XML lacks: names of items and types of texts, read off the schema. */
export interface Shape {
  /** Name of an element with this value. */
  name: string | undefined;
  kinds: Set<Kind>;
  /** Whether the number may have a fraction. */
  fractional: boolean;
  fields: Map<string, Shape>;
  item: Shape | undefined;
}

const shapes = new WeakMap<z.core.$ZodType, Shape>();

/** Computed once per schema. A union allows all that its options allow. */
export function shapeOf(schema: z.core.$ZodType): Shape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape: Shape = {
    name: undefined,
    kinds: new Set(),
    fractional: schema instanceof z.ZodNumber && !schema.isInt,
    fields: new Map(),
    item: undefined,
  };
  // Cached before it is complete, since a schema may contain itself.
  shapes.set(schema, shape);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  for (const inner of alternativesOf(def)) add(shape, shapeOf(inner));
  describe(shape, def);
  const { id } = (schema as z.ZodType).meta?.() ?? {};
  if (id !== undefined) shape.name ??= underscored(id);
  return shape;
}

type Definition = z.core.$ZodTypes["_zod"]["def"];

/** Schemas whose values are also values of this one. */
function alternativesOf(def: Definition): readonly z.core.$ZodType[] {
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return [def.innerType];
    case "lazy":
      return [def.getter()];
    case "pipe":
      return [isTransform(def.in) ? def.out : def.in];
    case "union":
      return def.options;
    case "intersection":
      return [def.left, def.right];
    default:
      return [];
  }
}

function describe(shape: Shape, def: Definition): void {
  switch (def.type) {
    case "object":
      shape.kinds.add("object");
      for (const [name, field] of Object.entries(def.shape)) shape.fields.set(name, shapeOf(field));
      shape.name = kindNamed(def.shape.kind);
      break;
    case "record":
      shape.kinds.add("object");
      break;
    case "array":
      shape.kinds.add("array");
      shape.item = shapeOf(def.element);
      break;
    case "number":
      shape.kinds.add("number");
      break;
    case "boolean":
      shape.kinds.add("boolean");
      break;
    case "string":
    case "template_literal":
    case "enum":
      shape.kinds.add("string");
      break;
    case "literal":
      for (const value of def.values) shape.kinds.add(typeof value as Kind);
  }
}

const isTransform = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def.type === "transform";

/** Representations name their own kind: `kind: "track"`. */
function kindNamed(schema: z.core.$ZodType | undefined): string | undefined {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def;
  const [kind] = def?.type === "literal" ? def.values : [];
  return typeof kind === "string" ? underscored(kind) : undefined;
}

/** Turns `OwnApp` and `secret-token` into names of elements. */
export const underscored = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();

function add(shape: Shape, other: Shape): void {
  shape.name ??= other.name;
  shape.fractional ||= other.fractional;
  for (const kind of other.kinds) shape.kinds.add(kind);
  for (const [name, field] of other.fields) {
    const both = shape.fields.get(name);
    shape.fields.set(name, both ? mergeShapes(both, field) : field);
  }
  if (other.item) shape.item = shape.item ? mergeShapes(shape.item, other.item) : other.item;
}

function mergeShapes(one: Shape, other: Shape): Shape {
  if (one === other) return one;
  const both: Shape = { ...one, kinds: new Set(one.kinds), fields: new Map(one.fields) };
  add(both, other);
  return both;
}
