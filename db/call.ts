import { SQL, sql } from "drizzle-orm";
import { bytea } from "./bytea.ts";
import type { Functions } from "./signatures.ts";

export type FunctionName = keyof Functions;

/** Parameters by name. A value that another expression computes is an `SQL` itself. */
export type CallParameters<Name extends FunctionName> = {
  [Parameter in keyof Functions[Name]]: Functions[Name][Parameter] | SQL;
};

const texts = new Map<string, string>();

/** Returns the text of a call and its parameters, in order. Only an expression among them needs the query builder. */
export function callOf(
  name: string,
  given: Record<string, unknown>,
  build: (expression: SQL) => { text: string; parameters: readonly unknown[] },
) {
  const names = Object.keys(given);
  const values = Object.values(given);
  if (values.some((value) => value instanceof SQL)) {
    const named = names.map((each, at) => sql`${sql.raw(`p_${each}`)} => ${asSql(toParameter(values[at]))}`);
    return build(sql`${sql.raw(name)}(${sql.join(named, sql`, `)})`);
  }
  const key = `${name} ${names.join()}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = `${name}(${names.map((each, at) => `p_${each} => $${at + 1}`).join(", ")})`;
    texts.set(key, text);
  }
  return { text, parameters: values.map(toParameter) };
}

/** The builder would write an array as a list of values. */
export const asSql = (value: unknown): SQL => (value instanceof SQL ? value : sql`${sql.param(value)}`);

/** Converts objects to JSON and bytes to PostgreSQL's text form. The driver converts everything else. */
export function toParameter(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return bytea(value);
  const isNative = Array.isArray(value) || value instanceof Date || value instanceof SQL;
  return isNative ? value : JSON.stringify(value);
}
