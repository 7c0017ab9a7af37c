import { createMiddleware } from "hono/factory";
import { sayDeprecated } from "../http/dialect.ts";
import type { AppEnv } from "../http/env.ts";
import { HttpError } from "../http/errors.ts";

/** What an older client says of scope → what it gets. There never was more than one. */
export const OLDER_SCOPES: Record<string, string> = { "": "*", "*": "*", "non-expiring": "*" };

/** For entrances that only older clients know. */
export const olderOnly = createMiddleware<AppEnv>(async (c, next) => {
  sayDeprecated(c, c.env);
  if (c.env.OLDER_BEHAVIOUR !== "on")
    throw new HttpError(410, ["This older way in is closed here; the API reference shows the current one."]);
  await next();
});
