import type { Context } from "hono";
import { openDatabase } from "../../../db/client.ts";
import { noteDeprecatedUse } from "../../../db/queries/deprecations.ts";
import { type Deprecation, isEnding } from "./deprecations.ts";
import type { AppEnv } from "./env.ts";
import { describeError, logLine } from "./log.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** Client id of a request that has no token. */
    usingClient: string | undefined;
  }
}

/** Days on which uses were recorded, by app and deprecation. */
const recordedOn = new Map<string, string>();
const MAX_RECORDED = 10_000;

/** Records after the reply that an app uses what ends: at most once a day in each isolate. */
export function recordDeprecatedUses(c: Context<AppEnv>, used: readonly Deprecation[]): void {
  const clientId = c.get("viewer")?.clientId ?? c.get("usingClient");
  if (clientId === undefined || c.res.status >= 400) return;
  const today = new Date().toISOString().slice(0, 10);
  for (const { id } of used.filter(isEnding)) {
    const key = `${id} ${clientId}`;
    if (recordedOn.get(key) === today) continue;
    if (recordedOn.size >= MAX_RECORDED) recordedOn.clear();
    recordedOn.set(key, today);
    const recorded = noteDeprecatedUse(openDatabase(c.env), clientId, id).catch((error: unknown) => {
      // The next request tries again.
      recordedOn.delete(key);
      logLine("warn", "deprecated_use_not_recorded", { deprecation: id, ...describeError(error) });
    });
    c.executionCtx.waitUntil(recorded);
  }
}
