import type { Env } from "../http/env.ts";
import { unavailable } from "../http/errors.ts";
import { describeError, logLine } from "../http/log.ts";
import { limitedFetch } from "./guarded-fetch.ts";

/** Origin of the widget's script and frame: developers.cloudflare.com/turnstile/reference/content-security-policy */
export const TURNSTILE_ORIGIN = "https://challenges.cloudflare.com";

/** Whether the operator has set the keys of a widget. */
export const usesTurnstile = ({
  TURNSTILE_SITE_KEY,
  TURNSTILE_SECRET,
}: Pick<Env, "TURNSTILE_SITE_KEY" | "TURNSTILE_SECRET">): boolean =>
  Boolean(TURNSTILE_SITE_KEY && TURNSTILE_SECRET);

const SITEVERIFY = `${TURNSTILE_ORIGIN}/turnstile/v0/siteverify`;

/** Characters: developers.cloudflare.com/turnstile/get-started/server-side-validation */
const MAX_TOKEN_LENGTH = 2048;

/** Codes that blame the visitor's token. All others are ours or the service's. */
const OF_THE_TOKEN = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

const AWAY =
  "The service that tells people from programs does not answer. Nothing was created; try again in a minute";

interface Verdict {
  success?: boolean;
  "error-codes"?: string[];
}

/** Whether Turnstile takes the widget's token, which counts once. Throws 503 if it cannot be asked. */
export async function passesTurnstile(
  env: Pick<Env, "TURNSTILE_SECRET" | "TURNSTILE_VERIFY_URL">,
  token: string | undefined,
  address: string | undefined,
): Promise<boolean> {
  if (!token || token.length > MAX_TOKEN_LENGTH) return false;
  const verdict = await ask(env, {
    secret: env.TURNSTILE_SECRET,
    response: token,
    ...(address && { remoteip: address }),
  });
  if (verdict.success === true) return true;
  const codes = verdict["error-codes"] ?? [];
  if (codes.length && codes.every((code) => OF_THE_TOKEN.includes(code))) return false;
  logLine("error", "turnstile_failed", { codes: codes.map(String).slice(0, 5) });
  return unavailable(AWAY);
}

async function ask({ TURNSTILE_VERIFY_URL }: Pick<Env, "TURNSTILE_VERIFY_URL">, question: object) {
  try {
    const reply = await limitedFetch(TURNSTILE_VERIFY_URL ?? SITEVERIFY, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
    });
    return (await reply.json()) as Verdict;
  } catch (error) {
    logLine("error", "turnstile_unreachable", describeError(error));
    return unavailable(AWAY);
  }
}
