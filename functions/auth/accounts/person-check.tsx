import type { Context } from "hono";
import type { SingleUse } from "../../../db/queries/budgets.ts";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import { isSolved, puzzleOf } from "../../lib/security/proof-of-work.ts";
import { passesTurnstile, TURNSTILE_ORIGIN, usesTurnstile } from "../../lib/services/turnstile.ts";
import { assetUrl } from "../../ui/assets.ts";
import { formTtlS } from "../../ui/form-guard.ts";

/** Tells people from programs where strangers make accounts. An operator's Turnstile goes before our own puzzle. */
type Way = "turnstile" | "puzzle" | "none";

function wayOf(env: Env): Way {
  if (usesTurnstile(env)) return "turnstile";
  return env.PROOF_OF_WORK === "off" ? "none" : "puzzle";
}

/** Origin whose script and frame the form's page needs. */
export const widgetOrigin = (env: Env): string | undefined =>
  wayOf(env) === "turnstile" ? TURNSTILE_ORIGIN : undefined;

interface PersonCheckProps {
  env: Env;
  /** The form's token. */
  token: string;
}

/** Belongs into the form that it guards. */
export const PersonCheck = ({ env, token }: PersonCheckProps) => {
  const way = wayOf(env);
  if (way === "none") return null;
  return (
    <>
      {way === "turnstile" ? (
        <Turnstile siteKey={env.TURNSTILE_SITE_KEY} />
      ) : (
        <Work env={env} token={token} />
      )}
      <noscript>
        <p class="problem">
          Creating an account needs scripts, because a check keeps programs from doing it. Allow scripts for
          this site and open the page again.
        </p>
      </noscript>
    </>
  );
};

const Turnstile = ({ siteKey }: { siteKey: string | undefined }) => (
  <>
    <div class="cf-turnstile" data-sitekey={siteKey} data-theme="auto" data-size="flexible" />
    <script src={`${TURNSTILE_ORIGIN}/turnstile/v0/api.js`} async defer />
  </>
);

const Work = ({ env, token }: PersonCheckProps) => {
  const { task, parts, bound } = puzzleOf(env, token);
  return (
    <person-check data-task={task} data-parts={parts} data-bound={bound}>
      <input type="hidden" name="proof" value="" />
      <p class="hint" role="status" />
      <script type="module" src={assetUrl(env, "person-check.client.js")} />
    </person-check>
  );
};

const UNPROVEN = "The check that you are a person did not finish. It runs again: send the form once more";

/** Said of a proof that an account was made with, such as after Back. */
export const PROOF_USED =
  "The check that you are a person was for another form. It runs again: send this one once more";

/** Returns the problem, or the proof that the statement must use up. */
export async function checkPerson(
  c: Context<AppEnv>,
  sent: Record<string, string>,
): Promise<{ problem: string } | { proof: SingleUse | undefined }> {
  switch (wayOf(c.env)) {
    case "none":
      return { proof: undefined };
    case "turnstile": {
      const address = c.req.header("CF-Connecting-IP");
      const passes = await passesTurnstile(c.env, sent["cf-turnstile-response"], address);
      return passes ? { proof: undefined } : { problem: UNPROVEN };
    }
    case "puzzle": {
      const puzzle = puzzleOf(c.env, sent.form_token ?? "");
      if (!isSolved(puzzle, sent.proof ?? "")) return { problem: UNPROVEN };
      return { proof: { name: "proof", subject: puzzle.task, ttl_s: formTtlS(c) } };
    }
  }
}
