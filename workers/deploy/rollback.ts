import { reopenDeploy } from "../../db/deploys.ts";
import type { Environment } from "./environment.ts";
import { wrangler } from "./wrangler.ts";

const MESSAGE = "npm run deploy --rollback";

/** Puts the Worker before the present one back. The database stays: older code bears its migrations. */
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
