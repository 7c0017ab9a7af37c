import { SaxesParser } from "saxes";

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** Parses well-formed XML 1.0 only and returns the root. */
export function parseXml(document: string): Element {
  const roots: Element[] = [];
  const stack: Element[] = [];
  const parser = new SaxesParser();
  parser.on("doctype", () => {
    throw new Error("A document type");
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element: Element = { name, attributes, text: "", children: [] };
    (stack.at(-1)?.children ?? roots).push(element);
    stack.push(element);
  });
  parser.on("text", (text) => {
    const element = stack.at(-1);
    if (element) element.text += text;
  });
  parser.on("closetag", () => void stack.pop());
  parser.write(document).close();
  if (!roots[0]) throw new Error(`No XML: ${document}`);
  return roots[0];
}

/** Reads a document by its `type` and `nil` attributes, like a client without a schema. */
export const readXml = (document: string): unknown => valueIn(parseXml(document));

function valueIn({ name, attributes, text, children }: Element): unknown {
  if (attributes.nil === "true") return null;
  switch (attributes.type) {
    case "array":
      return children.map(valueIn);
    case "integer":
    case "float":
      if (text !== String(Number(text))) throw new Error(`${name} is no number: ${text}`);
      return Number(text);
    case "boolean":
      if (text !== "true" && text !== "false") throw new Error(`${name} is no boolean: ${text}`);
      return text === "true";
    default:
      if (!children.length) return text;
      if (text) throw new Error(`${name} holds both text and elements`);
      return Object.fromEntries(
        children.map((child) => [child.attributes.key ?? child.name, valueIn(child)]),
      );
  }
}
