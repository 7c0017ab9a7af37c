import type pg from "pg";
import { describeDatabase } from "./description.ts";
import { inSnapshot, readRows, type Sink } from "./rows.ts";
import { passTransactionIds, transactionIdOf } from "./transaction-ids.ts";

/** Settings of the session that loads. Bodies may name functions that follow. */
export const LOADING = `SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = off;
SET client_min_messages = warning;
SET search_path = public`;

/** Writes a database as plain SQL: all of it loads, or nothing. Returns the counts. */
export function exportDatabase(client: pg.ClientBase, to: Sink): Promise<{ tables: number; rows: number }> {
  return inSnapshot(client, async () => {
    const { before, tables, after } = await describeDatabase(client);
    const say = (text: string) => to(`${text};\n`);
    await to(`${HEAD}\n`);
    for (const statement of [LOADING, "BEGIN", ...before]) await say(statement);
    let rows = 0;
    for (const table of tables) {
      await say(`COPY ${table.name} (${table.columns}) FROM stdin`);
      rows += (await readRows(client, table, to)).rows;
      await to("\\.\n\n");
    }
    const ends = [passTransactionIds(await transactionIdOf(client)), analyze(tables)];
    for (const statement of [...after, "COMMIT", ...ends]) await say(statement);
    return { tables: tables.length, rows };
  });
}

/** Without it the first statements would be planned for empty tables. */
export const analyze = (tables: { name: string }[]): string =>
  `ANALYZE ${tables.map(({ name }) => name).join(", ")}`;

const HEAD = `-- A database of Soundpost. Load it into an empty one, as its owner, through the direct address:
--   psql --set ON_ERROR_STOP=1 --file FILE postgres://owner:password@host/database
`;
