import pg from "pg";

/**
 * Makes a client whose statements tell that PostgreSQL has ended the connection. When none is under way, `pg` itself would end
 * the process.
 */
export function newClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  client.on("error", () => {});
  return client;
}
