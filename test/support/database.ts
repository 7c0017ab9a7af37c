import pg from "pg";

const pools = new Map<string, pg.Pool>();

/**
 * The process's one pool for a database. A connection's start costs more CPU than most statements. Its clients
 * survive neither a test's crash of Postgres nor the end of a stack, which is no error.
 */
export function poolOf(connectionString: string): pg.Pool {
  const known = pools.get(connectionString);
  if (known) return known;
  const pool = new pg.Pool({ connectionString, max: 10, idleTimeoutMillis: 10_000, allowExitOnIdle: true });
  pool.on("error", () => {});
  pools.set(connectionString, pool);
  return pool;
}
