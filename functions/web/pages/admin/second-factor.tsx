import type { Context } from "hono";
import * as z from "zod";
import {
  beginSecondFactor,
  enrolSecondFactor,
  passSecondFactor,
  showOperatorEntry,
} from "../../../../db/queries/operator-accounts.ts";
import { tooManyAttempts } from "../../../auth/accounts/sign-in.tsx";
import type { AppEnv, SignedInViewer } from "../../../lib/http/env.ts";
import { forbidden } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seal, unseal } from "../../../lib/security/sealing.ts";
import { matchTotp, newTotpSecret } from "../../../lib/security/totp.ts";
import { newTypedCode, typedCodeHash } from "../../../lib/security/typed-code.ts";
import type { FormState } from "../../../ui/form.tsx";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { seeOther } from "../../../ui/page.tsx";
import { showAdminError } from "./frame.tsx";
import { adminPath, readerAsOperator } from "./guard.ts";
import { ENROL, ENTER, showCodeForm, showEnrolment, showRecoveryCodes } from "./second-factor-pages.tsx";

/** The operators' entrance: every browser enters a code, and the first entry sets it up. */
export const secondFactor = new Routes({ renderError: showAdminError });

const WRONG: FormState = {
  values: {},
  problems: { code: "is wrong or was used before. Wait for the next one, and check that your clocks agree." },
};

secondFactor.page(ENTER, async (c) => {
  const viewer = readerAsOperator(c);
  const entry = await showOperatorEntry(c.var.db, viewer);
  const next = adminPath(c.req.query("next"));
  if (entry.state === "passed") return seeOther(c, next);
  if (entry.state === "enter") return showCodeForm(c, next, entry.recovery_codes);
  return showEnrolment(c, entry.username, offer(c, viewer, newTotpSecret()));
});

secondFactor.form(ENTER, async (c) => {
  const { viewer, sent, entry } = await readEntry(c, ENTER);
  const next = adminPath(sent.next);
  if (entry.state === "passed") return seeOther(c, next);
  if (await enters(c, viewer, sent.code ?? "")) return seeOther(c, next);
  return showCodeForm(c, next, entry.recovery_codes, WRONG);
});

secondFactor.form(ENROL, async (c) => {
  const { viewer, sent, entry } = await readEntry(c, ENROL);
  const secret = offered(c, viewer, sent.offer ?? "");
  if (secret === undefined) return forbidden("This page has expired; open it again");
  const again = (problems: FormState["problems"]) =>
    showEnrolment(c, entry.username, offer(c, viewer, secret), { values: { start: sent.start }, problems });
  // The app's code guards nothing here, because the page shows its secret. So it costs no attempt.
  const step = matchTotp(secret, spaceless(sent.code), Date.now());
  if (step === undefined) return again(WRONG.problems);
  const codeHash = typedCodeHash("enrolment", sent.start ?? "");
  if (codeHash === undefined) return again({ start: "has sixteen letters and digits" });
  const codes = newRecoveryCodes();
  const recoveryHashes = codes.flatMap((code) => typedCodeHash("recovery", code) ?? []);
  const factor = { codeHash, secretSealed: seal(c.env, secret), step, recoveryHashes };
  const enrolled = await enrolSecondFactor(c.var.db, viewer, factor);
  if (enrolled.outcome === "limited") return tooManyAttempts(enrolled.retry_after);
  if (enrolled.outcome === "done") return showRecoveryCodes(c, codes);
  // Another tab was first.
  if (enrolled.outcome === "already") return seeOther(c, ENTER);
  return again({ start: START_PROBLEMS[enrolled.outcome] });
});

const START_PROBLEMS = {
  wrong: "is wrong. Only the newest one counts, and each opens one account once.",
  expired: "has expired. Ask whoever runs the server for another.",
};

/** Each works once in place of the authenticator app. */
const newRecoveryCodes = (): string[] => Array.from({ length: 10 }, newTypedCode);

/** Reads the form of an operator who has not passed yet. A foreign form costs no attempt. */
async function readEntry(c: Context<AppEnv>, subject: string) {
  const viewer = readerAsOperator(c);
  formPage(c, ENTER);
  const entry = await showOperatorEntry(c.var.db, viewer);
  return { viewer, entry, sent: await readOwnForm(c, subject) };
}

/** Whether a code of the authenticator app, or a recovery code, lets the browser in. */
async function enters(c: Context<AppEnv>, viewer: SignedInViewer, given: string): Promise<boolean> {
  const begun = await beginSecondFactor(c.var.db, viewer);
  if (begun.outcome === "limited") return tooManyAttempts(begun.retry_after);
  if (begun.outcome === "enrol") return false;
  const secretSealed = Buffer.from(begun.secret, "base64");
  // An unreadable secret matches no code, so only recovery codes work.
  const secret = unseal(c.env, secretSealed);
  const step = secret === undefined ? undefined : matchTotp(secret, spaceless(given), Date.now());
  const recovery = typedCodeHash("recovery", given);
  if (step === undefined && recovery === undefined) return false;
  const presented = {
    attempt: begun.attempt,
    secretSealed,
    step: step ?? null,
    recoveryHash: recovery ?? null,
  };
  return passSecondFactor(c.var.db, viewer, presented);
}

/** Apps show codes in two halves. */
const spaceless = (code = "") => code.replace(/\s/g, "");

/** Seconds to scan the code and to enter the first one. */
const OFFER_TTL_S = 3600;

const Offer = z.tuple([z.literal("second factor"), z.int(), z.string(), z.int()]);

/** Seals a secret into the form. It is stored only after its first code was entered. */
function offer(c: Context<AppEnv>, { userId }: SignedInViewer, secret: string) {
  const expiresAtS = Math.ceil(Date.now() / 1000) + OFFER_TTL_S;
  const sealed = seal(c.env, JSON.stringify(["second factor", userId, secret, expiresAtS]));
  return { secret, sealed: sealed.toString("base64url") };
}

function offered(c: Context<AppEnv>, { userId }: SignedInViewer, sealed: string): string | undefined {
  const text = unseal(c.env, Buffer.from(sealed, "base64url"));
  if (text === undefined) return undefined;
  const [, offeredTo, secret, expiresAtS] = Offer.parse(JSON.parse(text));
  return offeredTo === userId && expiresAtS * 1000 > Date.now() ? secret : undefined;
}
