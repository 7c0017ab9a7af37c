import { REPLIES } from "./schemas.ts";

/** Compares replies with the official schemas and remembers which fields it saw filled. */
export class Judge {
  /** Differences, such as `User.city is null`. */
  readonly differences = new Set<string>();
  readonly filled = new Set<string>();

  /** Judges one reply. Of several schemas, as in `Tracks|[Track]`, the one of its form counts. */
  judge(operation: string, schema: string, value: unknown): void {
    const fitting = schema.split("|").find((each) => each.startsWith("[") === Array.isArray(value));
    if (fitting === undefined) this.differences.add(`${operation} is ${formOf(value)}, not ${schema}`);
    else this.#value(fitting, value, fitting);
  }

  #value(type: string, value: unknown, where: string): void {
    if (value === null) {
      if (!allowsNull(type)) this.differences.add(`${where} is null`);
      return;
    }
    this.filled.add(where);
    const named = type.replace(/\?$/, "");
    const element = /^\[(.+)\]$/.exec(named)?.[1];
    if (element) {
      if (Array.isArray(value)) for (const each of value) this.#value(element, each, where);
      else this.differences.add(`${where} is ${formOf(value)}, not a list`);
    } else if (/^[A-Z]/.test(named)) {
      const schema = named.includes("|") ? oneOfKind(named, value) : named;
      if (schema !== undefined) this.#object(schema, value, where);
      else this.differences.add(`${where} is none of ${named}`);
    } else if (!fits(named, value)) this.differences.add(`${where} is ${formOf(value)}, not ${named}`);
  }

  #object(schema: string, value: unknown, where: string): void {
    if (formOf(value) !== "an object") {
      this.differences.add(`${where} is ${formOf(value)}, not ${schema}`);
      return;
    }
    const members = value as Record<string, unknown>;
    // A user in a track is shown in part, which is a difference of its own.
    const name = schema === "User" && /^(Track|Playlist)\./.test(where) ? where : schema;
    for (const [type = "", names = ""] of Object.entries(REPLIES[schema] ?? {}))
      for (const field of names.split(" ")) {
        if (field in members) this.#value(type, members[field], `${name}.${field}`);
        else this.differences.add(`${name}.${field} is absent`);
      }
  }
}

const allowsNull = (type: string) => type.endsWith("?") || type.split("|").includes("null");

const oneOfKind = (types: string, value: unknown) => {
  const { kind } = Object(value) as { kind?: unknown };
  return types.split("|").find((each) => each.toLowerCase() === kind);
};

function formOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === undefined) return "absent";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

function fits(type: string, value: unknown): boolean {
  if (type === "text") return typeof value === "string";
  if (type === "integer") return Number.isInteger(value);
  if (type === "number" || type === "boolean") return typeof value === type;
  return type.split("|").includes(String(value));
}

/** All fields of the official replies, named as the judge names them. */
export const officialFields = Object.entries(REPLIES).flatMap(([schema, fields]) =>
  Object.values(fields).flatMap((names = "") => names.split(" ").map((field) => `${schema}.${field}`)),
);
