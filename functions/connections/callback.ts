import { type Context, Hono } from "hono";
import * as oauth from "oauth4webapi";
import { saveConnections, type TakenAttempt, takeAttempt } from "../../db/queries/connections.ts";
import { siteSessionHash } from "../accounts/cookies.ts";
import type { AppEnv } from "../http/env.ts";
import { badRequest, forbidden } from "../http/errors.ts";
import { describeError } from "../http/log.ts";
import { renderBrowserError } from "../oauth/browser-error.tsx";
import { withQuery } from "../oauth/redirect-reply.ts";
import { hashSecret } from "../oauth/secrets.ts";
import { CALLBACK_PATH } from "./begin.ts";
import { allowedProfiles } from "./exchange.ts";

/** {auth_url}: where browsers come back to from the other service. */
export const connectionCallback = new Hono<AppEnv>();

connectionCallback.get(CALLBACK_PATH, async (c) => {
  const attempt = await attemptOf(c);
  const success = String(await connect(c, attempt));
  c.header("Cache-Control", "no-store");
  return c.redirect(withQuery(attempt.redirect_uri, { success }), 303);
});

/** Without an attempt that is known nothing tells where the browser should go: a page, never a redirect. */
connectionCallback.onError(renderBrowserError);

async function attemptOf(c: Context<AppEnv>): Promise<TakenAttempt> {
  const [state, ...more] = c.req.queries("state") ?? [];
  const isOne = state !== undefined && /^[\w-]{43}$/.test(state) && !more.length;
  const attempt = isOne ? await takeAttempt(c.var.db, hashSecret(state), siteSessionHash(c)) : null;
  if (!attempt)
    return badRequest(
      "It was used before, was left for more than ten minutes, or is not ours. Start again in the app.",
    );
  if (attempt.outcome === "taken") return attempt;
  return forbidden(
    "You are signed in here as somebody else than who began this. If it was you, sign out and start again in the app.",
  );
}

/** Whether profiles were connected. Whatever goes wrong over there, none were. */
async function connect(c: Context<AppEnv>, attempt: TakenAttempt): Promise<boolean> {
  const found = await allowedProfiles(c.env, attempt, new URL(c.req.url).searchParams).catch((error) => {
    c.var.log.add({ service: attempt.service, ...reasonOf(error) });
    return undefined;
  });
  if (!found) return false;
  const { session_id, client_id, user_id } = attempt.beginner;
  const beginner = { sessionId: session_id, clientId: client_id, userId: user_id };
  // It may have been signed out meanwhile.
  return (await saveConnections(c.var.db, beginner, found, attempt)).auth_ok;
}

/** By a word of the library's, never by what the service said. */
const reasonOf = (error: unknown): Record<string, unknown> =>
  error instanceof oauth.AuthorizationResponseError
    ? { connection: "refused" }
    : { connection: "failed", ...describeError(error) };
