import type pg from "pg";
import { pruneFunctions } from "./apply-functions.ts";
import { pruneStoredSelects } from "./apply-stored-selects.ts";
import { newClient } from "./connection.ts";

/** A row means that the last deploy has not ended well, or was taken back: Workers from before it run, or may run again. */
const LEDGER = `CREATE TABLE IF NOT EXISTS ledger.open_deploys (begun_at timestamptz NOT NULL DEFAULT now())`;

const OPEN = "INSERT INTO ledger.open_deploys SELECT WHERE NOT EXISTS (SELECT FROM ledger.open_deploys)";

/**
 * Drops functions that no Worker calls any more, before a deploy supersedes others. A deploy that is repeated, or follows
 * a rollback, drops none: the Workers that run call what the one before superseded.
 */
export async function beginDeploy(client: pg.Client): Promise<void> {
  await client.query(LEDGER);
  const { rowCount } = await client.query("SELECT FROM ledger.open_deploys");
  if (rowCount) return;
  await pruneFunctions(client);
  await pruneStoredSelects(client);
  await client.query(OPEN);
}

/** Lets the next deploy drop what only Workers before this one call. */
export const endDeploy = (url: string): Promise<void> => note(url, "DELETE FROM ledger.open_deploys");

/** Keeps what Workers before the last deploy call, because they come back. */
export const reopenDeploy = (url: string): Promise<void> => note(url, OPEN);

async function note(url: string, statement: string): Promise<void> {
  const client = newClient({ connectionString: url });
  await client.connect();
  try {
    await client.query(LEDGER);
    await client.query(statement);
  } finally {
    await client.end();
  }
}
