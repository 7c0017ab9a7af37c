import { createHash } from "node:crypto";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { Description } from "./description.ts";

type Table = Description["tables"][number];

/** The same text from every version, whatever the roles have set. With an empty `search_path` each name has its schema. */
const FORM = `
SET search_path = '';
SET statement_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
SET IntervalStyle = 'postgres';
SET extra_float_digits = 3;
SET bytea_output = 'hex';
SET synchronize_seqscans = off`;

/** Runs work on one moment of a database. */
export async function inSnapshot<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(FORM);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  try {
    return await work();
  } finally {
    await client.query("ROLLBACK");
  }
}

/** The count of a table's rows, and the SHA-256 of their texts. */
export type Digest = { rows: number; sha256: string };

/** Takes what is read, and resolves when there is room for more. */
export type Sink = (chunk: Buffer | string) => unknown;

/** Hands a table's rows to a sink. */
export async function readRows(client: pg.ClientBase, { name, columns }: Table, sink: Sink): Promise<Digest> {
  const reading = client.query(copyTo(`COPY ${name} (${columns}) TO STDOUT`));
  const hash = createHash("sha256");
  for await (const chunk of reading) {
    hash.update(chunk);
    await sink(chunk);
  }
  return { rows: reading.rowCount, sha256: hash.digest("hex") };
}

/** Reads a table for its digest alone. */
export const digestOf = (client: pg.ClientBase, table: Table): Promise<Digest> =>
  readRows(client, table, () => {});

/** Copies a table's rows from one server to another. */
export async function copyRows(from: pg.ClientBase, to: pg.ClientBase, table: Table): Promise<Digest> {
  const writing = to.query(copyFrom(`COPY ${table.name} (${table.columns}) FROM STDIN`));
  const digest = await readRows(
    from,
    table,
    (chunk) =>
      new Promise<void>((resolve, reject) => {
        writing.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
  );
  await finished(writing.end());
  return digest;
}
