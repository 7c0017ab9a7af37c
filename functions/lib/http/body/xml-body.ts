import { type SaxesAttributePlain, SaxesParser } from "saxes";
import { HttpError } from "../../errors/http-error.ts";
import { badRequest, malformed } from "../errors.ts";
import type { Shape } from "../format/shape.ts";

/** Levels of nesting, the same as for JSON. */
const MAX_DEPTH = 20;
/** More than the longest accepted list needs, and few enough for the memory. */
const MAX_ELEMENTS = 100_000;

export class XmlElement {
  readonly name: string;
  type: string | undefined;
  isNil = false;
  text = "";
  children: XmlElement[] | undefined;

  /** Older clients write hyphens in names. */
  constructor(name: string) {
    this.name = name.replaceAll("-", "_");
  }

  adopt(child: XmlElement): void {
    this.children ??= [];
    this.children.push(child);
  }
}

/** Parses a document without a DTD. Entities are the five predefined ones and character references. */
export function parseXml(text: string): XmlElement {
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  const parser = new SaxesParser();
  parser.on("doctype", () => malformed("The body has a document type, which is not accepted"));
  parser.on("xmldecl", ({ encoding = "utf-8" }) => {
    if (!/^(?:utf-8|us-ascii)$/i.test(encoding)) malformed("The body must be encoded in UTF-8");
  });
  parser.on("opentagstart", ({ name }) => {
    if (stack.length === MAX_DEPTH) malformed(`The body is nested deeper than ${MAX_DEPTH} levels`);
    if (++count > MAX_ELEMENTS) malformed(`The body has more than ${MAX_ELEMENTS} elements`);
    const element = new XmlElement(name);
    root ??= element;
    stack.at(-1)?.adopt(element);
    stack.push(element);
  });
  parser.on("attribute", ({ name, value }: SaxesAttributePlain) => {
    const element = stack.at(-1);
    if (element && name === "type") element.type = value;
    if (element && name === "nil") element.isNil = value === "true" || value === "1";
  });
  const append = (more: string) => {
    const element = stack.at(-1);
    if (element) element.text += more;
  };
  parser.on("text", append);
  parser.on("cdata", append);
  parser.on("closetag", () => {
    const closed = stack.pop();
    if (closed?.children && closed.text.trim()) malformed(`${closed.name}: holds both text and elements`);
  });
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof HttpError) throw error;
    malformed("The body is not well-formed XML");
  }
  return root ?? malformed("The body is not well-formed XML");
}

/**
 * Converts XML to the equivalent JSON. The root is the wrapper if the schema has a field of its name, otherwise the
 * body itself. The schema types an element that has no `type`.
 */
export function elementValue(root: XmlElement, shape: Shape): unknown {
  const wrapped = shape.fields.get(root.name);
  return wrapped ? { [root.name]: readValue(root, wrapped) } : readValue(root, shape);
}

function readValue(element: XmlElement, shape: Shape | undefined): unknown {
  const { children, text, type, isNil } = element;
  if (isNil) return null;
  const takes = (kind: "array" | "object" | "string") => shape?.kinds.has(kind) ?? false;
  const isEmpty = !children && !text.trim();
  if (type === "array" || (!type && takes("array") && !takes("object") && (children || isEmpty)))
    return (children ?? []).map((child) => readValue(child, shape?.item));
  if (children) return objectOf(children, shape);
  if (isEmpty && takes("object") && !takes("string")) return {};
  return scalarOf(text, type ?? usualType(shape));
}

function objectOf(children: XmlElement[], shape: Shape | undefined): unknown {
  const object: Record<string, unknown> = Object.create(null);
  for (const child of children) {
    if (child.name in object) badRequest(`${child.name} was sent more than once`, "repeated-parameter");
    object[child.name] = readValue(child, shape?.fields.get(child.name));
  }
  return object;
}

/** Text stays a string if the schema accepts strings. */
function usualType(shape: Shape | undefined): string | undefined {
  if (!shape || shape.kinds.has("string")) return undefined;
  if (shape.kinds.has("number")) return "float";
  return shape.kinds.has("boolean") ? "boolean" : undefined;
}

const NUMBERS: Record<string, RegExp> = {
  integer: /^[+-]?\d{1,20}$/,
  float: /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i,
};

/** A value of the wrong type stays text, so that the schema refuses it by name. */
function scalarOf(text: string, type: string | undefined): unknown {
  const value = text.trim();
  if (type && NUMBERS[type]?.test(value)) return Number(value);
  if (type === "boolean" && /^(?:true|1)$/.test(value)) return true;
  if (type === "boolean" && /^(?:false|0)$/.test(value)) return false;
  return text;
}
