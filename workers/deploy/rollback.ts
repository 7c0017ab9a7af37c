import { reopenDeploy } from "../../db/deploys.ts";
import type { Environment } from "./environment.ts";
import { wrangler } from "./wrangler.ts";

const MESSAGE = "npm run deploy --rollback";

/** Restores the previous Worker. The database stays, because older code tolerates its migrations. */
export async function rollBack(
  { environment }: Environment,
  databaseUrl: string,
  check: () => Promise<void>,
): Promise<void> {
  await reopenDeploy(databaseUrl);
  const command = ["rollback", "--env", environment, "--yes", "--message", MESSAGE];
  await wrangler(command, "The Worker was not rolled back");
  await check();
}
