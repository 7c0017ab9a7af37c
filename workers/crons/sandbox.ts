import { openDatabase } from "../../db/client.ts";
import { restoreSnapshot } from "../../db/queries/sandbox.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { logLine } from "../../functions/lib/http/log.ts";

/** Restores the sandbox's snapshot. Worker and database must both be marked as a sandbox. */
export async function resetSandbox(env: Env): Promise<void> {
  const reset =
    env.SANDBOX === "on" ? await restoreSnapshot(openDatabase(env)) : { outcome: "no_sandbox" as const };
  logLine(reset.outcome === "restored" ? "info" : "warn", "sandbox_reset", { ...reset });
}
