import type * as z from "zod";
import { escapeXml } from "../../text/xml.ts";
import { type Shape, shapeOf, underscored } from "./shape.ts";

const NAME = /^[A-Za-z_][\w.-]*$/;
/** `yyyy/mm/dd hh:mm:ss +0000` or RFC 3339 in UTC. Only certain fields count: a title may look like a timestamp too. */
const TIMESTAMP = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$|^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const TIMESTAMP_NAME = /_at$|^last_modified$/;

/** Writes JSON as XML: elements with the same underscored names, and Rails' `type` and `nil`. */
export function xmlDocument(value: unknown, schema: z.core.$ZodType | undefined): string {
  const shape = schema && shapeOf(schema);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(rootName(value, shape), value, shape)}\n`;
}

/** A list is named after its items, both as a bare array and as a page. */
function rootName(value: unknown, shape: Shape | undefined): string {
  const items = Array.isArray(value) ? shape?.item : shape?.fields.get("collection")?.item;
  if (items?.name) return plural(items.name);
  return kindOf(value) ?? shape?.name ?? "response";
}

function element(name: string, value: unknown, shape: Shape | undefined): string {
  // A number is no valid element name.
  const [tag, key] = NAME.test(name) ? [name, ""] : ["entry", ` key="${escapeXml(name)}"`];
  if (value === null) return `<${tag}${key} nil="true"/>`;
  const type = typeOf(name, value, shape);
  const start = `${tag}${key}${type ? ` type="${type}"` : ""}`;
  const content = contentOf(name, value, shape);
  return content === "" ? `<${start}/>` : `<${start}>${content}</${tag}>`;
}

function typeOf(name: string, value: unknown, shape: Shape | undefined): string | undefined {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return shape?.fractional || !Number.isInteger(value) ? "float" : "integer";
  const isTimestamp = typeof value === "string" && TIMESTAMP_NAME.test(name) && TIMESTAMP.test(value);
  return isTimestamp ? "datetime" : undefined;
}

function contentOf(name: string, value: unknown, shape: Shape | undefined): string {
  if (Array.isArray(value)) {
    const standard = shape?.item?.name ?? singular(name);
    return value.map((item) => element(kindOf(item) ?? standard, item, shape?.item)).join("");
  }
  if (typeof value !== "object" || value === null) return escapeXml(String(value));
  return Object.entries(value)
    .map(([field, inner]) => element(field, inner, shape?.fields.get(field)))
    .join("");
}

function kindOf(value: unknown): string | undefined {
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  return typeof kind === "string" && NAME.test(kind) ? underscored(kind) : undefined;
}

const plural = (name: string) => (name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`);

function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.endsWith("s") ? name.slice(0, -1) : "item";
}
