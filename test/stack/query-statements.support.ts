import pg from "pg";
import { type Database, openDatabase } from "../../db/client.ts";
import type { Statement } from "../../db/deadline.ts";
import type { Reading } from "../../db/stored-select.ts";

/** Times stay text, as for the Worker. */
export const TYPES = {
  getTypeParser: (oid: number) =>
    oid === pg.types.builtins.TIMESTAMPTZ ? String : pg.types.getTypeParser(oid),
};

/** Returns the statements of a query that reads, without sending them. */
export async function statementsOf(ask: (db: Database) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const note = (reading: Reading<unknown>) => {
    statements.push(reading.statement());
    return [];
  };
  const db = openDatabase({ DATABASE_URL: "postgres://nobody:none@127.0.0.1/none" });
  db.read = async (reading: unknown) => note(reading as Reading<unknown>) as never;
  db.readAll = async (readings) => readings.map((each) => note(each as Reading<unknown>)) as never;
  await ask(db);
  return statements;
}
