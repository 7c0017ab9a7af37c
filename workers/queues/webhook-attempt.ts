import type { AttemptResult, BegunDelivery } from "../../db/queries/webhook-deliveries.ts";
import { representEvent } from "../../functions/api/webhooks/events.ts";
import { messageId } from "../../functions/api/webhooks/representation.ts";
import { checkTarget } from "../../functions/api/webhooks/resolved-target.ts";
import { signedHeaders } from "../../functions/api/webhooks/signature.ts";
import type { AttemptFailure } from "../../functions/api/webhooks/vocabulary.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { retryAfterS } from "../../functions/lib/http/retry-after.ts";
import { unsealBase64 } from "../../functions/lib/security/sealing.ts";

/** Milliseconds until the response headers, the lookup of the name included. A target that takes longer is slow. */
const TIMEOUT_MS = 2_000;
/** The same for slow targets. Standard Webhooks advises 15 to 30 seconds. */
const SLOW_TIMEOUT_MS = 15_000;
/** Milliseconds within which a slow target must reply to be slow no longer. */
const QUICK_MS = TIMEOUT_MS / 2;

type Outcome = Pick<AttemptResult, "response_code" | "retry_after_s"> & { failure: AttemptFailure | null };

/** Sends the delivery once. Never throws: failures go to the log that the app's owner reads. */
export async function attemptDelivery(env: Env, begun: BegunDelivery): Promise<AttemptResult> {
  const startedAtMs = Date.now();
  const outcome = await send(env, begun);
  const durationMs = Date.now() - startedAtMs;
  return {
    at: new Date(startedAtMs).toISOString(),
    duration_ms: durationMs,
    slow: isSlow(outcome, durationMs),
    ...outcome,
  };
}

/** `undefined` in between: the target stays what it was. */
function isSlow({ failure }: Outcome, durationMs: number): boolean | undefined {
  if (failure === "timeout" || durationMs >= TIMEOUT_MS) return true;
  return durationMs < QUICK_MS ? false : undefined;
}

async function send(env: Env, { delivery, url, slow, secrets: sealed }: BegunDelivery): Promise<Outcome> {
  const secrets = sealed.flatMap((one) => (one ? (unsealBase64(env, one) ?? []) : []));
  if (secrets.length === 0) return noReply("unsigned");
  const signal = AbortSignal.timeout(slow ? SLOW_TIMEOUT_MS : TIMEOUT_MS);
  const refused = await checkTarget(env, url, signal);
  if (refused) return noReply(refused);
  // Some KiB, because titles, names and comments are limited.
  const body = JSON.stringify(representEvent(delivery, env));
  try {
    const reply = await (env.PUBLIC_NETWORK ?? globalThis).fetch(url, {
      method: "POST",
      redirect: "manual",
      signal,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Soundpost-Webhooks/1",
        ...signedHeaders(secrets, { id: messageId(delivery), sentAt: new Date(), body }),
      },
      body,
    });
    // Discards the body, because showing it would reveal internal services to the app's owner.
    await reply.body?.cancel();
    return outcomeOf(reply);
  } catch (error) {
    return noReply(error instanceof Error && error.name === "TimeoutError" ? "timeout" : "unreachable");
  }
}

const noReply = (failure: AttemptFailure): Outcome => ({ response_code: null, failure });

function outcomeOf({ status, headers }: Response): Outcome {
  if (status >= 200 && status < 300) return { response_code: status, failure: null };
  return {
    response_code: status,
    failure: status >= 300 && status < 400 ? "redirect" : "status",
    retry_after_s: retryAfterS(headers.get("Retry-After")),
  };
}
