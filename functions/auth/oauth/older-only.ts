import type { Context } from "hono";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { markDeprecated } from "../../lib/http/older.ts";

/** Granted scopes by older names. There is only one scope. */
export const OLDER_SCOPES: Record<string, string> = { "": "*", "*": "*", "non-expiring": "*" };

/** Announces the end of an older endpoint, or throws 410 if the operator has closed it. */
export function olderOnly(c: Context<AppEnv>): void {
  markDeprecated(c, c.env);
  if (c.env.OLDER_BEHAVIOUR !== "on")
    throw new HttpError(410, ["This older endpoint is closed; the API reference shows the current one."]);
}
