const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\r": "&#13;",
};
const CHARACTERS: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

type XmlValue = string | number | boolean | XmlFields | readonly XmlFields[] | undefined;
export interface XmlFields {
  readonly [name: string]: XmlValue;
}

/** Arrays repeat their element. Absent values omit it. */
function element(name: string, value: XmlValue): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.map((one: XmlFields) => element(name, one)).join("");
  if (typeof value === "object") return `<${name}>${elements(value as XmlFields)}</${name}>`;
  return `<${name}>${String(value).replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? "")}</${name}>`;
}

const elements = (fields: XmlFields) =>
  Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join("");

export const xmlDocument = (root: string, fields: XmlFields) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${elements(fields)}</${root}>`;

const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]+));/g, (entity, decimal, hex, name) => {
    if (name) return CHARACTERS[name] ?? entity;
    const codePoint = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : entity;
  });

/** Returns the contents of each `<name>`, in linear time. Clients send only two flat documents. */
export function xmlBlocks(xml: string, name: string): string[] {
  const opening = new RegExp(`<${name}(?:\\s[^<>]*)?>`);
  const pieces = xml.split(`</${name}>`).slice(0, -1);
  return pieces.flatMap((piece) => {
    const match = opening.exec(piece);
    return match ? [piece.slice(match.index + match[0].length)] : [];
  });
}

export const xmlText = (xml: string, name: string) => {
  const [inside] = xmlBlocks(xml, name);
  return inside === undefined ? undefined : decodeEntities(inside);
};
