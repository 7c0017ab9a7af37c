import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { otpauthUri } from "../../../lib/security/totp.ts";
import { EMPTY, Field, Form, type FormState } from "../../../ui/form.tsx";
import { formToken } from "../../../ui/form-guard.ts";
import { siteName } from "../../../ui/name.ts";
import { showAdmin } from "./frame.tsx";
import { QrCode } from "./qr-code.tsx";

/** Paths, and subjects of the forms' tokens. */
export const ENTER = "/admin/enter";
export const ENROL = "/admin/enter/new";

const LABELS = { code: "Code", start: "Start code" };

/** Asks for a code of the authenticator app. */
export const showCodeForm = (
  c: Context<AppEnv>,
  next: string,
  recoveryCodes: number,
  state: FormState = EMPTY,
): Response =>
  showAdmin(
    c,
    { title: "Enter your code", status: state === EMPTY ? 200 : 422 },
    <div class="narrow">
      <section class="card account">
        <h1>Enter your code</h1>
        <p>This browser may operate the service for 12 hours then, or until it signs out.</p>
        <Form
          name="enter"
          action={ENTER}
          token={formToken(c, ENTER)}
          labels={LABELS}
          state={state}
          hidden={{ next }}
          submit="Continue"
        >
          <Field
            form="enter"
            name="code"
            label="Code"
            hint="Six digits from your authenticator app, or one of your recovery codes."
            autocomplete="one-time-code"
            maxlength={40}
            state={state}
          />
        </Form>
        <p class="hint">
          {recoveryCodes === 1 ? "One recovery code is" : `${recoveryCodes} recovery codes are`} left. Without
          app and codes, whoever runs the server starts you anew with <code>operator reset</code>.
        </p>
      </section>
    </div>,
  );

/** Shows the secret for an authenticator app, and asks for its first code. */
export function showEnrolment(
  c: Context<AppEnv>,
  username: string,
  { secret, sealed }: { secret: string; sealed: string },
  state: FormState = EMPTY,
): Response {
  const uri = otpauthUri(secret, siteName(c.env), username);
  return showAdmin(
    c,
    { title: "Set up your second factor", status: state === EMPTY ? 200 : 422 },
    <div class="narrow">
      <section class="card account">
        <h1>Set up your second factor</h1>
        <p>
          Operators sign in with a password and a code. Scan this with an authenticator app, then enter the
          code that it shows, and the start code that whoever runs the server gave you.
        </p>
        <QrCode text={uri} label="QR code for authenticator apps; the same stands below as text" />
        <details>
          <summary>Enter it by hand</summary>
          <p class="hint">Key, by time, six digits</p>
          <p>
            <code class="secret">{secret.match(/.{4}/g)?.join(" ")}</code>
          </p>
          <p class="hint">As an address</p>
          <p>
            <code class="secret">{uri}</code>
          </p>
        </details>
        <Form
          name="enrol"
          action={ENROL}
          token={formToken(c, ENROL)}
          labels={LABELS}
          state={state}
          hidden={{ offer: sealed }}
          submit="Continue"
          unswapped
        >
          <Field
            form="enrol"
            name="code"
            label={LABELS.code}
            hint="Six digits from your authenticator app."
            autocomplete="one-time-code"
            maxlength={10}
            state={state}
          />
          <Field
            form="enrol"
            name="start"
            label={LABELS.start}
            hint="Sixteen letters and digits, printed by operator add or operator reset. It works once, for a day."
            autocomplete="off"
            maxlength={40}
            state={state}
          />
        </Form>
      </section>
    </div>,
  );
}

/** Shows the recovery codes, once. */
export const showRecoveryCodes = (c: Context<AppEnv>, codes: string[]): Response =>
  showAdmin(
    c,
    { title: "Your recovery codes" },
    <div class="narrow">
      <section class="card account">
        <h1>Your recovery codes</h1>
        <p>
          Each lets you in once if you lose your phone. Keep them where only you find them: they are not shown
          again.
        </p>
        <ul class="recovery-codes">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <a class="button" href="/admin">
          I have kept them
        </a>
      </section>
    </div>,
  );
