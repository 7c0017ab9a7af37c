import { type SQL, sql } from "drizzle-orm";
import { type Reading, type Table, toStatement } from "./stored-select.ts";

/** A stored select that chooses, or a statement that is planned each time and has no name. */
type Choosing<Row> = Omit<Table<Row>, "name"> & { name?: string };

/** A choice of ids and other numbers, planned each time. */
export const numbersOf = <Name extends string>(
  statement: SQL,
  columns: Name[],
): Choosing<Record<Name, number | null>> => ({
  columns,
  called: sql`(${statement})`,
  selected: () => sql`(${statement})`,
  toRows: (raw) =>
    raw.map(
      (row) =>
        Object.fromEntries(
          columns.map((name, at) => [name, row[at] === null ? null : Number(row[at])]),
        ) as Record<Name, number | null>,
    ),
});

/** Builds a table that shows the rows of these ids. */
type Show<Row> = (ids: SQL) => Table<Row>;

/**
 * Reads the rows of a choice, and next to each the rows that its first columns name by id: the first of
 * `shows` reads those of the first column, the second those of the second. A row is missing if the id is null or the
 * row is hidden.
 */
export function showBeside<Row, Shown extends unknown[]>(
  choice: Choosing<Row>,
  ...shows: { [At in keyof Shown]: Show<Shown[At]> }
): Reading<[Row, ...{ [At in keyof Shown]: Shown[At] | undefined }]> {
  const shown: Table<unknown>[] = shows.map((show, at) => show(idsIn(choice.columns[at] ?? "")));
  const compose = (chosen: SQL, tables: SQL[]) => {
    const numbered = sql`select c.*, row_number() over () as place from ${chosen} c(${listOf(choice)})`;
    const joins = tables.map((table, at) => {
      const name = sql.raw(`shown_${at}`);
      const id = sql.raw(choice.columns[at] ?? "");
      return sql` left join ${table} ${name}(${listOf(shown[at])}) on ${name}.c1 = chosen.${id}`;
    });
    const columns = [listOf(choice, "chosen."), ...shown.map((table, at) => listOf(table, `shown_${at}.`))];
    return toStatement(sql`with chosen as materialized (${numbered})
      select ${sql.join(columns, sql`, `)} from chosen${sql.join(joins)} order by chosen.place`);
  };
  return {
    names: [choice, ...shown].flatMap(({ name }) => name ?? []),
    statement: () =>
      compose(
        choice.called,
        shown.map(({ called }) => called),
      ),
    planned: () =>
      compose(
        choice.selected(),
        shown.map(({ selected }) => selected()),
      ),
    toRows: (raw) => raw.map((row) => rowOf(row, [choice, ...shown])) as never,
  };
}

/** The ids in a column of the choice, each once, in its order. */
const idsIn = (column: string): SQL => {
  const id = sql.raw(column);
  return sql`array(select ${id} from chosen where ${id} is not null group by ${id} order by min(place))`;
};

const listOf = (table: Choosing<unknown> | undefined, of = ""): SQL =>
  sql.raw(table?.columns.map((column) => of + column).join() ?? "");

/** Reads a row that has the columns of one table after the other. Only the choice's first column may be null. */
function rowOf(raw: unknown[], tables: readonly Choosing<unknown>[]): unknown[] {
  let end = 0;
  return tables.map(({ columns, toRows }, at) => {
    const own = raw.slice(end, end + columns.length);
    end += columns.length;
    return at === 0 || own[0] !== null ? toRows([own])[0] : undefined;
  });
}
