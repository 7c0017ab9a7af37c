import type { Context } from "hono";
import { addressOf } from "../address.ts";
import type { AppEnv } from "../env.ts";
import { tooMany } from "../errors.ts";

/** Seconds. The binding's period in `wrangler.toml`. */
const PERIOD_S = 10;

/** Files come from caches, and players fetch many. */
const FILES = /^\/(?:media|images)\//;

/**
 * Refuses a network address that sends far more than any client, before the database is asked. The platform counts in
 * each data centre, without a round trip. Budgets, which are exact, stay with the statements.
 */
export function closeToFloods({ env, req }: Context<AppEnv>): Promise<void> | undefined {
  const gate = env.FLOOD_GATE;
  return gate && !FILES.test(req.path) ? pass(gate, addressOf(req)) : undefined;
}

async function pass(gate: NonNullable<AppEnv["Bindings"]["FLOOD_GATE"]>, key: string): Promise<void> {
  const { success } = await gate.limit({ key });
  if (!success) tooMany("Too many requests from your network; wait ten seconds", PERIOD_S);
}
