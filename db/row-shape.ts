import { type Column, getTableColumns, type InferSelectModel, is, type Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { PgArray } from "drizzle-orm/pg-core";
import * as z from "zod";

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : "";

/** JSON has times and bytes as text. */
type InJson<Value> = Value extends Date | Uint8Array ? string : Value;

type RowShape<From extends Table> = {
  [Key in keyof InferSelectModel<From> & string as Snake<Key>]: z.ZodType<
    InJson<InferSelectModel<From>[Key]>
  >;
};

type SpelledColumns<From extends Table> = {
  [Key in keyof From["_"]["columns"] & string as Snake<Key>]: From["_"]["columns"][Key];
};

/** The columns of a table by the database's spelling, which rows and representations share. */
export const spelledColumns = <From extends Table>(table: From) =>
  // `Object.fromEntries` loses the keys' types.
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([key, column]) => [toSnakeCase(key), column]),
  ) as SpelledColumns<From>;

/** Shape of a table's row as functions return it in JSON: all columns, in the database's spelling. */
export function rowOf<From extends Table>(table: From) {
  const columns = Object.entries(getTableColumns(table));
  const fields = columns.map(([key, column]) => [toSnakeCase(key), fieldOf(column)]);
  // `Object.fromEntries` loses the keys' types.
  return z.strictObject(Object.fromEntries(fields) as RowShape<From>);
}

const fieldOf = (column: Column): z.ZodType =>
  column.notNull ? shapeOf(column) : shapeOf(column).nullable();

function shapeOf(column: Column): z.ZodType {
  if (is(column, PgArray)) return z.array(shapeOf(column.baseColumn));
  if (column.enumValues?.length) return z.enum(column.enumValues);
  if (column.dataType === "number") return z.number();
  if (column.dataType === "boolean") return z.boolean();
  return column.dataType === "json" ? z.unknown() : z.string();
}
