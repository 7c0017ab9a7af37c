import type pg from "pg";
import { pruneFunctions } from "./apply-functions.ts";
import { pruneStoredSelects } from "./apply-stored-selects.ts";
import { newClient } from "./connection.ts";

/** A row means that the last deploy failed or was rolled back, so older Workers run or may run again. */
const LEDGER = `CREATE TABLE IF NOT EXISTS ledger.open_deploys (begun_at timestamptz NOT NULL DEFAULT now())`;

const OPEN = "INSERT INTO ledger.open_deploys SELECT WHERE NOT EXISTS (SELECT FROM ledger.open_deploys)";

/**
 * Drops functions that no Worker calls any more, before a deploy supersedes others. A repeated deploy, or one after
 * a rollback, drops none, because the running Workers still call superseded functions.
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

/** Keeps the functions that older Workers call, because a rollback brings those Workers back. */
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
