import type { Context } from "hono";
import { HttpError } from "../../lib/errors/http-error.ts";
import { noteDeprecated, OLDER_BEHAVIOUR } from "../../lib/http/deprecations.ts";
import type { AppEnv } from "../../lib/http/env.ts";

const OLDER_SCOPES = new Set(["", "*", "non-expiring"]);

/** The only scope of older endpoints, by any of its names. */
export const parseOlderScope = (asked: string): "*" | undefined =>
  OLDER_SCOPES.has(asked) ? "*" : undefined;

/** Announces the end of an older endpoint, or throws 410 if the operator has closed it. */
export function olderOnly(c: Context<AppEnv>): void {
  noteDeprecated(c, OLDER_BEHAVIOUR);
  if (c.env.OLDER_BEHAVIOUR !== "on")
    throw new HttpError(410, ["This older endpoint is closed; the API reference shows the current one."]);
}
