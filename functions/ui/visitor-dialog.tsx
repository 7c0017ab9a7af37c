import type { Env } from "../lib/http/env.ts";
import { type Reader, signInUrl, signUpUrl } from "./bar.tsx";
import { offersSignUp, WhoMaySignUp } from "./registration.tsx";

/** Opens when a visitor presses what needs an account: see `assets/visitor-act.ts`. Without scripts, the press leads to the sign-in. */
export const VisitorDialog = ({ env, reader }: { env: Env; reader: Reader }) => (
  <dialog class="visitor-act" aria-labelledby="visitor-act-heading" data-turbo="false">
    {/* The script writes what was pressed. */}
    <h2 id="visitor-act-heading" dir="auto">
      Sign in
    </h2>
    <p>
      This needs an account. {offersSignUp(env) ? "Sign in or sign up" : "Sign in"}, and it is done at once.
      You stay on this page, and what plays goes on.
    </p>
    {!offersSignUp(env) && (
      <p>
        <WhoMaySignUp env={env} />
      </p>
    )}
    <p class="actions">
      {offersSignUp(env) && (
        <a class="button" href={signUpUrl(env, reader)}>
          Sign up
        </a>
      )}{" "}
      <a class={offersSignUp(env) ? "button quiet" : "button"} href={signInUrl(env, reader)}>
        Sign in
      </a>
    </p>
    <p class="visitor-act-waiting" role="status" />
    <form method="dialog">
      <button class="link" type="submit">
        Not now
      </button>
    </form>
  </dialog>
);
