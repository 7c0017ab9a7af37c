import type { Context } from "hono";
import * as z from "zod";
import {
  cancelEmailChange,
  confirmEmail,
  findReset,
  forgetPassword,
  resetPassword,
} from "../../../db/queries/mail-links.ts";
import { ChosenPassword, Email, problemsOf } from "../../api/users/account-input.ts";
import { addressOf } from "../../lib/http/address.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { Routes } from "../../lib/http/route.ts";
import { hashPassword } from "../../lib/security/password.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { clearSiteCookie, readAskedCookie, setAskedCookie, siteSessionHash } from "../../ui/cookies.ts";
import { EMPTY, Field, Form, type FormState } from "../../ui/form.tsx";
import { formToken, readOwnForm } from "../../ui/form-guard.ts";
import { siteName } from "../../ui/name.ts";
import { seeOther, showCard, showError } from "../../ui/page.tsx";
import { rememberBrowser } from "./known-browser.ts";
import { newMailToken } from "./mail-token.ts";
import { tooManyAttempts } from "./sign-in.tsx";

/** Targets of links in mails, and forms that request such a mail without a password. */
export const mailLinks = new Routes({ renderError: showError });

/** Confirms by a button, because mail scanners follow links. */
mailLinks.page("/confirm", (c) =>
  showCard(c, {
    title: "Confirm your address",
    body: (
      <Form
        name="confirm"
        action="/confirm"
        token={formToken(c, "confirm")}
        hidden={{ token: c.req.query("token") ?? "" }}
        submit="Confirm"
      />
    ),
  }),
);

mailLinks.form("/confirm", async (c) => {
  const sent = await readOwnForm(c, "confirm");
  const found = await confirmEmail(c.var.db, hashSecret(sent.token ?? ""));
  if (found.outcome === "invalid") return showUseless(c, "/settings#email", "Send another mail");
  return showCard(c, {
    title: "Your address is confirmed",
    body: (
      <>
        <p>Thank you. There is nothing more to do.</p>
        <a class="button" href={webUrl(c.env, "/")}>
          Go on to {siteName(c.env)}
        </a>
        <p>
          <a href="/settings">To your settings</a>
        </p>
      </>
    ),
  });
});

/** Opened from the old address. Needs a button for the same reason. */
mailLinks.page("/cancel-change", (c) =>
  showCard(c, {
    title: "Keep your address",
    body: (
      <>
        <p>Somebody asked to change the e-mail address of your account. If it was not you, stop it here.</p>
        <Form
          name="cancel-change"
          action="/cancel-change"
          token={formToken(c, "cancel-change")}
          hidden={{ token: c.req.query("token") ?? "" }}
          submit="Stop the change"
        />
      </>
    ),
  }),
);

mailLinks.form("/cancel-change", async (c) => {
  const sent = await readOwnForm(c, "cancel-change");
  const stopped = await cancelEmailChange(c.var.db, hashSecret(sent.token ?? ""));
  if (!stopped) return showUseless(c, "/settings#email", "To your settings");
  return showCard(c, {
    title: "Your address stays as it is",
    body: (
      <>
        <p>
          The change is stopped. Whoever asked for it knows your password: choose a new one, and everybody
          else is signed out.
        </p>
        <a class="button" href="/forgot">
          Choose a new password
        </a>
      </>
    ),
  });
});

const EMAIL = "E-mail address";

mailLinks.page("/forgot", (c) => showForgot(c));

mailLinks.form("/forgot", async (c) => {
  const sent = await readOwnForm(c, "forgot");
  const given = z.object({ email: Email }).safeParse({ email: "", ...sent });
  if (!given.success) return showForgot(c, { values: sent, problems: problemsOf(given.error) });
  const token = newMailToken(c.env, "reset");
  const found = await forgetPassword(c.var.db, given.data.email, addressOf(c.req), token);
  if (found.outcome === "limited") return tooManyAttempts(found.retry_after);
  setAskedCookie(c, given.data.email);
  return seeOther(c, "/forgot/sent");
});

/** The same for every address, so it does not reveal who has an account. */
mailLinks.page("/forgot/sent", (c) => {
  const address = Email.safeParse(readAskedCookie(c)).data;
  return showCard(c, {
    title: "Look at your mails",
    body: (
      <>
        <p>
          If {address ? <strong>{address}</strong> : "the address"} has an account, a mail with a link is on
          its way. The link works for an hour. If nothing comes, look among the unwanted mails.
        </p>
        {address && (
          <Form
            name="forgot"
            action="/forgot"
            token={formToken(c, "forgot")}
            hidden={{ email: address }}
            submit="Send the mail again"
            kind="quiet"
          />
        )}
      </>
    ),
    beside: <a href="/forgot">Use another address</a>,
  });
});

const showForgot = (c: Context<AppEnv>, state: FormState = EMPTY) =>
  showCard(c, {
    title: "Choose a new password",
    status: state === EMPTY ? 200 : 422,
    body: (
      <>
        <p>Enter the address of your account, and we will send you a link.</p>
        <Form
          name="forgot"
          action="/forgot"
          token={formToken(c, "forgot")}
          state={state}
          labels={{ email: EMAIL }}
          submit="Send the link"
        >
          <Field
            form="forgot"
            name="email"
            label={EMAIL}
            type="email"
            autocomplete="username"
            state={state}
          />
        </Form>
      </>
    ),
    beside: <a href="/signin">Back to sign-in</a>,
  });

mailLinks.page("/reset", (c) => showReset(c, c.req.query("token") ?? ""));

/** Checks the link before hashing, so that an invalid one costs little. */
mailLinks.form("/reset", async (c) => {
  const sent = await readOwnForm(c, "reset");
  const given = z.object({ password: ChosenPassword }).safeParse({ password: "", ...sent });
  if (!given.success)
    return showReset(c, sent.token ?? "", { values: {}, problems: problemsOf(given.error) });
  const tokenHash = hashSecret(sent.token ?? "");
  const known = await findReset(c.var.db, tokenHash);
  const passwordHash = known === undefined ? "" : await hashPassword(given.data.password, c.env);
  const session = siteSessionHash(c);
  const changed = known !== undefined && (await resetPassword(c.var.db, tokenHash, passwordHash, session));
  if (!changed) return showUseless(c, "/forgot", "Ask for another link");
  rememberBrowser(c, known, passwordHash);
  if (session) clearSiteCookie(c);
  return seeOther(c, "/signin?notice=password-reset");
});

const showReset = (c: Context<AppEnv>, token: string, state: FormState = EMPTY) =>
  showCard(c, {
    title: "Choose a new password",
    status: state === EMPTY ? 200 : 422,
    body: (
      <Form
        name="reset"
        action="/reset"
        token={formToken(c, "reset")}
        state={state}
        labels={{ password: "New password" }}
        hidden={{ token }}
        submit="Save the password"
      >
        <Field
          form="reset"
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          hint="At least 8 characters. All browsers and apps that use your account are signed out."
          state={state}
        />
      </Form>
    ),
  });

const showUseless = (c: Context<AppEnv>, path: string, label: string) =>
  showCard(c, {
    title: "This link does not work any more",
    status: 422,
    body: (
      <>
        <p>It was used, has expired or was replaced by a newer one.</p>
        <a class="button" href={path}>
          {label}
        </a>
      </>
    ),
  });
