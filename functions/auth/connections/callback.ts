import type { Context } from "hono";
import * as oauth from "oauth4webapi";
import { saveConnections, type TakenAttempt, takeAttempt } from "../../../db/queries/connections.ts";
import { allowedProfiles } from "../../api/connections/exchange.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { badRequest, conflict } from "../../lib/http/errors.ts";
import { describeError } from "../../lib/http/log.ts";
import { Routes } from "../../lib/http/route.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { siteSessionHash } from "../../ui/cookies.ts";
import { renderBrowserError } from "../oauth/browser-error.tsx";
import { withQuery } from "../oauth/redirect-reply.ts";
import { askForAccount, showRefusal } from "./stopped-page.tsx";

/**
 * {auth_url}. The other service redirects browsers here. An unknown attempt has no redirect URI, so its error is a
 * page.
 */
export const connectionCallback = new Routes({ renderError: renderBrowserError });

connectionCallback.page("/connections/callback", async (c) => {
  const answer = new URL(c.req.url).searchParams;
  const stateHash = stateHashIn(answer);
  const attempt = stateHash && (await takeAttempt(c.var.db, stateHash, siteSessionHash(c)));
  if (!attempt) return badRequest("It is older than ten minutes or unknown. Start again in the app.");
  switch (attempt.outcome) {
    case "not_the_beginner":
      return answer.has("error") ? showRefusal(c, attempt) : askForAccount(c, attempt);
    case "used":
      return badRequest("It was used before. Start again in the app.");
    case "running":
      return conflict("Your answer is being processed. Open this address again in a minute.");
    case "settled":
      return goBack(c, attempt.redirect_uri, attempt.succeeded);
    case "taken":
      return goBack(c, attempt.redirect_uri, await connect(c, attempt, stateHash, answer));
  }
});

function stateHashIn(answer: URLSearchParams): string | undefined {
  const [state, ...more] = answer.getAll("state");
  const isOne = state !== undefined && /^[\w-]{43}$/.test(state) && !more.length;
  return isOne ? hashSecret(state) : undefined;
}

function goBack(c: Context<AppEnv>, redirectUri: string, succeeded: boolean): Response {
  c.header("Cache-Control", "no-store");
  return c.redirect(withQuery(redirectUri, { success: String(succeeded) }), 303);
}

/** Returns whether profiles were connected. Any failure at the service connects none. */
async function connect(
  c: Context<AppEnv>,
  attempt: TakenAttempt,
  stateHash: string,
  answer: URLSearchParams,
): Promise<boolean> {
  const found = await allowedProfiles(c.env, attempt, answer).catch((error) => {
    c.var.log.add({ service: attempt.service, ...reasonOf(error) });
    return [];
  });
  const { session_id, client_id, user_id } = attempt.beginner;
  const beginner = { sessionId: session_id, clientId: client_id, userId: user_id };
  // Saves nothing if the session has ended meanwhile.
  const { saved } = await saveConnections(c.var.db, beginner, stateHash, found);
  return saved;
}

/** Logs the library's error code, never the service's own text. */
const reasonOf = (error: unknown): Record<string, unknown> =>
  error instanceof oauth.AuthorizationResponseError
    ? { connection: "refused" }
    : { connection: "failed", ...describeError(error) };
