import { openDatabase } from "../db/client.ts";
import { restoreSnapshot } from "../db/queries/sandbox.ts";
import type { Env } from "../functions/http/env.ts";
import { logLine } from "../functions/http/log.ts";

/** The sandbox's data as its snapshot has them. The Worker and the database must both say that they are the sandbox. */
export async function resetSandbox(env: Env): Promise<void> {
  const reset =
    env.SANDBOX === "on" ? await restoreSnapshot(openDatabase(env)) : { outcome: "no_sandbox" as const };
  logLine(reset.outcome === "restored" ? "info" : "warn", "sandbox_reset", { ...reset });
}
