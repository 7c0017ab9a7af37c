import { hash } from "node:crypto";
import { Column, is, type Placeholder, SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/neon-http";
import { asSql, toParameter } from "./call.ts";
import type { Statement } from "./deadline.ts";
import type { Drizzle } from "./transports/open.ts";

/** PostgreSQL's types of parameters, and the values for them. */
interface Values {
  bigint: number;
  "bigint[]": readonly number[];
  boolean: boolean;
  bytea: Uint8Array;
  integer: number;
  pg_snapshot: string;
  text: string;
  "text[]": readonly string[];
}

type Types = Record<string, keyof Values>;
type Given<Parameters extends Types> = { [Name in keyof Parameters]: Values[Parameters[Name]] | null };
/** Values may be expressions. */
type Expressed<Parameters extends Types> = { [Name in keyof Parameters]: Given<Parameters>[Name] | SQL };
type Places<Parameters extends Types> = { [Name in keyof Parameters]: SQL };

/** A select of the builder. */
export interface Select<Row> {
  getSQL(): SQL;
  prepare(name: string): { mapResult(reply: { rows: unknown[][] }): unknown };
  _: { selectedFields: Record<string, unknown>; result: Row[] };
}

/** A select of ids, which come first, and of values beside them, such as the position in a list. */
export type Choice<Beside = Record<string, unknown>> = Pick<Select<{ id: number } & Beside>, "getSQL" | "_">;

type Chosen<From extends Choice> = Omit<From["_"]["result"][number], "id">;

/** A statement to send, and the meaning of its rows. */
export interface Reading<Row> {
  /** The functions that it calls, which keep plans. None if the select is planned each time. */
  names: readonly string[];
  statement: () => Statement;
  /** The statement for when that function is missing. */
  planned: () => Statement;
  /** Reads rows that came as arrays. */
  toRows: (raw: unknown[][]) => Row[];
}

/** Composes statements and sends none. */
export const builder = drizzle((() => {}) as never, { casing: "snake_case" }) as unknown as Drizzle;

/** A choice in SQL, which selects the id and then the named values. */
export const choiceOf = <Beside extends Record<string, unknown>>(
  statement: SQL,
  beside: readonly (keyof Beside & string)[],
) => {
  const selectedFields = Object.fromEntries(["id", ...beside].map((name) => [name, statement]));
  return { getSQL: () => statement, _: { selectedFields, result: [] } } as Choice<Beside>;
};

export function toStatement(statement: SQL): Statement {
  const { sql, params } = builder.execute(statement).getQuery();
  return { text: sql, parameters: params };
}

/**
 * A select whose plan PostgreSQL keeps. A statement over HTTP is planned anew each time, but a function keeps the plans of its
 * own statements. So the migrator makes a function of the select's text, and the Worker calls that. The function's name holds
 * the text's hash: two versions of the Worker beside each other find each its own. Without the function the select itself is sent.
 */
export class StoredSelect<Parameters extends Types, Row> {
  readonly #name: string;
  readonly #types: Parameters;
  readonly #build: (given: Places<Parameters>, on: Drizzle) => Select<Row>;
  #made: Made<Row> | undefined;

  constructor(
    name: string,
    types: Parameters,
    build: (given: Places<Parameters>, on: Drizzle) => Select<Row>,
  ) {
    this.#name = name;
    this.#types = types;
    this.#build = build;
  }

  /** Values may be expressions. */
  with(given: Expressed<Parameters>): Reading<Row> {
    if (Object.values(given).some((value) => value instanceof SQL)) return this.#expressed(given);
    const { name, text, toRows } = this.made;
    const parameters = Object.keys(this.#types).map((each) => toParameter(given[each]));
    return {
      names: [name],
      statement: () => ({
        text: `select * from stored.${name}(${parameters.map((_, at) => `$${at + 1}`)})`,
        parameters,
      }),
      planned: () => ({ text, parameters }),
      toRows,
    };
  }

  #expressed(given: Expressed<Parameters>): Reading<Row> {
    const { name, toRows, called, selected } = this.table(given);
    const all = (rows: SQL) => toStatement(sql`select * from ${rows} shown`);
    return { names: [name], statement: () => all(called), planned: () => all(selected()), toRows };
  }

  /** Reads what `choice` selects, in its order, and adds the numbers beside the ids to the rows. */
  chosenBy<From extends Choice>(
    choice: From,
    given: Omit<Expressed<Parameters>, "ids">,
  ): Reading<Row & Chosen<From>> {
    const { name, columns, toRows, called, selected } = this.table({
      ...given,
      ids: CHOSEN_IDS,
    } as Expressed<Parameters>);
    const [, ...beside] = Object.keys(choice._.selectedFields);
    const compose = (shown: SQL) => toStatement(composed(choice, beside.length, shown));
    return {
      names: [name],
      statement: () => compose(called),
      planned: () => compose(selected()),
      toRows: (raw) => {
        const rows = toRows(raw) as (Row & Chosen<From>)[];
        const ids = raw.map(([id]) => Number(id));
        const chosen = (raw[0]?.[columns.length] ?? []) as unknown[][];
        return beside.length ? withValues(rows, ids, beside, chosen) : rows;
      },
    };
  }

  /** Stands in the `from` of a larger statement. Parameters may be expressions. */
  table(given: Expressed<Parameters>): Table<Row> {
    const { name, columns, toRows } = this.made;
    const parameters = Object.entries(this.#types).map(
      ([each, type]) => [each, asSql(toParameter(given[each])), type] as const,
    );
    const values = parameters.map(([, value]) => value);
    const places = parameters.map(([each, value, type]) => [each, sql`${value}::${sql.raw(type)}`]);
    return {
      name,
      columns,
      toRows,
      called: sql`stored.${sql.raw(name)}(${sql.join(values, sql`, `)})`,
      selected: () => sql`(${this.#build(Object.fromEntries(places), builder).getSQL()})`,
    };
  }

  /** Building takes a millisecond, so the first use does it. */
  get made(): Made<Row> {
    this.#made ??= this.#make();
    return this.#made;
  }

  #make(): Made<Row> {
    const types = Object.entries(this.#types);
    const places = types.map(([name, type]) => [name, sql`${sql.placeholder(name)}::${sql.raw(type)}`]);
    const select = this.#build(Object.fromEntries(places), builder);
    // A constant such as `public` stands in the text, where it may select a partial index.
    const { text: numbered, parameters } = toStatement(select.getSQL().inlineParams());
    const text = numbered.replace(/\$(\d+)/g, (_, at) => {
      const { name } = parameters[at - 1] as Placeholder;
      return `$${types.findIndex(([each]) => each === name) + 1}`;
    });
    const prepared = select.prepare(this.#name);
    return {
      name: `${this.#name}_${hash("sha256", text, "hex").slice(0, 12)}`,
      text,
      types: types.map(([, type]) => type),
      columns: Array.from({ length: widthOf(select._.selectedFields) }, (_, at) => `c${at + 1}`),
      toRows: (rows) => prepared.mapResult({ rows }) as Row[],
    };
  }
}

/** A select as text. */
export interface Made<Row> {
  /** The function's. */
  name: string;
  text: string;
  /** PostgreSQL's types of its parameters. */
  types: string[];
  /** Names of the function's columns. */
  columns: string[];
  toRows: (raw: unknown[][]) => Row[];
}

/** A stored select as a table. */
export interface Table<Row> extends Pick<Made<Row>, "name" | "columns" | "toRows"> {
  called: SQL;
  /** The select itself, for when the function is missing. */
  selected: () => SQL;
}

const CHOSEN_IDS = sql`array(select id from chosen)`;

/**
 * One statement that chooses ids and shows them. The first row brings what stands beside the ids: a join would copy every row.
 */
function composed(choice: Choice, width: number, shown: SQL): SQL {
  const values = Array.from({ length: width }, (_, at) => `v${at + 1}`);
  const chosen = sql.raw(["id", ...values].join());
  const first = sql`case when row_number() over () = 1 then (select json_agg(json_build_array(${chosen})) from chosen) end`;
  return sql`with chosen as materialized (select * from (${choice.getSQL()}) c(${chosen}))
    select shown.*${width ? sql`, ${first}` : sql``} from ${shown} shown`;
}

/**
 * Adds to each row the values beside its id. Rows and choice have the same order, but the choice may hold hidden
 * rows.
 */
function withValues<Row>(rows: Row[], ids: number[], names: string[], chosen: unknown[][]): Row[] {
  let next = 0;
  return rows.map((row, at) => {
    while (next < chosen.length && chosen[next]?.[0] !== ids[at]) next++;
    const [, ...values] = chosen[next++] ?? [];
    return { ...row, ...Object.fromEntries(names.map((name, place) => [name, values[place]])) };
  });
}

/** Number of columns, which may stand in groups. */
const widthOf = (fields: Record<string, unknown>): number =>
  Object.values(fields).reduce<number>((sum, field) => {
    const isColumn = is(field, Column) || is(field, SQL) || is(field, SQL.Aliased);
    return sum + (isColumn ? 1 : widthOf(field as Record<string, unknown>));
  }, 0);

/** A select that is planned each time, to read it together with others. */
export function selected<Row>(select: Select<Row>): Reading<Row> {
  const statement = () => toStatement(select.getSQL());
  const prepared = select.prepare("selected");
  return {
    names: [],
    statement,
    planned: statement,
    toRows: (rows) => prepared.mapResult({ rows }) as Row[],
  };
}
