import type { Context } from "hono";
import * as z from "zod";
import {
  endPersonalToken,
  endPersonalTokens,
  findPersonalTokens,
  MOST_PERSONAL_TOKENS,
  makePersonalToken,
  PERSONAL_CLIENT,
} from "../../../db/queries/personal-tokens.ts";
import { problemsOf } from "../../api/users/account-input.ts";
import { issueAccessToken } from "../../lib/http/access-token.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { parseScope, SCOPE_NAMES } from "../../lib/http/scopes.ts";
import { parseParams } from "../../lib/http/validate.ts";
import { label, plainIdText } from "../../lib/text/fields.ts";
import type { FormState } from "../../ui/form.tsx";
import { readOwnForm } from "../../ui/form-guard.ts";
import { seeOther } from "../../ui/page.tsx";
import { CurrentPassword, confirmChange, WRONG_PASSWORD } from "./confirmed-change.ts";
import { DAYS, ENDING_ALL, ending, MAKING, PATH, showMade, showTokens } from "./personal-tokens-page.tsx";
import { sessionOf, signInOrError, toSignIn } from "./settings.tsx";

/** {auth_url}. Tokens that people make for their own scripts, without an app. */
export const personalTokens = new Routes({ renderError: (error, c) => signInOrError(error, c, PATH) });

const NewToken = z.object({
  name: label(100).refine((name) => name !== "", "must not be empty"),
  scope: z.string().min(1, "needs at least one choice"),
  days: z.enum(DAYS),
  current_password: CurrentPassword,
});

personalTokens.page(PATH, (c) => show(c));

personalTokens.form(PATH, async (c) => {
  const sent = await readOwnForm(c, MAKING);
  const again = (problems: FormState["problems"]) => show(c, { values: sent, problems });
  const given = NewToken.safeParse({ name: "", current_password: "", ...sent, scope: scopeIn(sent) });
  if (!given.success) return again(problemsOf(given.error));
  const { name, scope, days, current_password } = given.data;
  const confirmed = await confirmChange(c, current_password);
  if (confirmed.outcome === "signed_out") return toSignIn(c, PATH);
  if (confirmed.outcome === "wrong") return again(WRONG_PASSWORD);
  const ttlS = Number(days) * 24 * 3600;
  const made = await makePersonalToken(c.var.db, confirmed.by, { name, scope, ttlS });
  if (made.outcome === "signed_out") return toSignIn(c, PATH);
  if (made.outcome === "too_many")
    return again({ name: `cannot be added: you have ${MOST_PERSONAL_TOKENS} tokens, so end one first` });
  const viewer = { sessionId: made.session, clientId: PERSONAL_CLIENT, userId: made.user };
  return showMade(c, { name, scope, token: await issueAccessToken(c.env, viewer, scope, ttlS) });
});

const tokenIn = parseParams(z.object({ token: plainIdText }));

personalTokens.form(`${PATH}/:token/end`, async (c) => {
  const { token } = tokenIn(c);
  await readOwnForm(c, ending(token));
  await endPersonalToken(c.var.db, sessionOf(c), token);
  return seeOther(c, `${PATH}?notice=token-ended`);
});

personalTokens.form(`${PATH}/end`, async (c) => {
  await readOwnForm(c, ENDING_ALL);
  await endPersonalTokens(c.var.db, sessionOf(c));
  return seeOther(c, `${PATH}?notice=tokens-ended`);
});

/** `*` beside others is everything, and no choice is "". */
const scopeIn = (sent: Record<string, string>): string =>
  parseScope(["*", ...SCOPE_NAMES].filter((name) => sent[`may_${name}`] === "on").join(" ")) ?? "";

async function show(c: Context<AppEnv>, state?: FormState): Promise<Response> {
  const found = await findPersonalTokens(c.var.db, sessionOf(c));
  return found ? showTokens(c, found, state) : toSignIn(c, PATH);
}
