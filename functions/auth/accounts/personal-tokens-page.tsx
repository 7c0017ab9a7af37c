import type { Context } from "hono";
import type { PersonalTokens } from "../../../db/queries/personal-tokens.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { SCOPE_NAMES, SCOPES } from "../../lib/http/scopes.ts";
import { Day } from "../../ui/day.tsx";
import { Field, Form, type FormState, Tick } from "../../ui/form.tsx";
import { formToken } from "../../ui/form-guard.ts";
import { showPage } from "../../ui/page.tsx";
import { Secret } from "../../ui/secret.tsx";
import { allowedIn } from "../oauth/powers.tsx";
import { isNotice, Notice } from "./notices.tsx";
import { AccountName } from "./settings-forms.tsx";

export const PATH = "/settings/tokens";

/** Days that a token may last, as the form sends them. */
export const DAYS = ["7", "30", "90", "365"] as const;

/** Subjects of the form tokens. */
export const MAKING = "make a personal token";
export const ENDING_ALL = "end personal tokens";
export const ending = (id: number) => `end personal token ${id}`;

const LABELS = {
  name: "Name",
  scope: "What it may do",
  days: "Ends after",
  current_password: "Current password",
};

/** A new form begins with the least that is useful. */
const NEW: FormState = { values: { may_read: "on", days: "30" }, problems: {} };

export function showTokens(c: Context<AppEnv>, found: PersonalTokens, state?: FormState): Response {
  const notice = c.req.query("notice");
  return showPage(
    c,
    "Personal tokens",
    <div class="settings">
      <div class="settings-head">
        <h1>Personal tokens</h1>
        <a href="/settings">Settings</a>
      </div>
      {!state && isNotice(notice) && <Notice name={notice} />}
      <section class="card">
        <p>
          A script or a program of your own needs no app, only a token. Whoever has the token can do in your
          name what it allows, so keep it like your password, and give it to nobody. Apps for other people{" "}
          <a href={apiUrl(c.env, "/docs/tokens")}>ask each of them</a>.
        </p>
        <p>A new password, and deleting the account, end all tokens. Signing out does not.</p>
      </section>
      <section class="card" aria-labelledby="tokens-title">
        <h2 id="tokens-title">Your tokens</h2>
        <TokenList c={c} tokens={found.tokens} />
      </section>
      <section class="card" aria-labelledby="new-title">
        <h2 id="new-title">Make a token</h2>
        <NewTokenForm token={formToken(c, MAKING)} email={found.email} state={state ?? NEW} />
      </section>
    </div>,
    state ? 422 : 200,
  );
}

const TokenList = ({ c, tokens }: { c: Context<AppEnv>; tokens: PersonalTokens["tokens"] }) =>
  tokens.length ? (
    <>
      <ul class="connected">
        {tokens.map(({ id, name, scope, since, expires_at, last_used_at }) => (
          <li>
            <div>
              <strong>{name}</strong>
              <p class="hint">{allowedIn(scope)}</p>
              <p class="hint">
                Made on <Day at={since} />,{" "}
                {last_used_at ? (
                  <>
                    last used on <Day at={last_used_at} />
                  </>
                ) : (
                  "never used"
                )}
                , ends on <Day at={expires_at} />
              </p>
            </div>
            <form method="post" action={`${PATH}/${id}/end`}>
              <input type="hidden" name="form_token" value={formToken(c, ending(id))} />
              <button class="button quiet" type="submit">
                End<span class="sr-only"> {name}</span>
              </button>
            </form>
          </li>
        ))}
      </ul>
      {tokens.length > 1 && (
        <Form
          name="end-tokens"
          action={`${PATH}/end`}
          token={formToken(c, ENDING_ALL)}
          submit="End all tokens"
          kind="quiet"
        />
      )}
    </>
  ) : (
    <p class="hint">You have none.</p>
  );

type NewTokenFormProps = { token: string; email: string; state: FormState };

const NewTokenForm = ({ token, email, state }: NewTokenFormProps) => {
  const field = { form: "token", state };
  return (
    <Form name="token" action={PATH} token={token} state={state} labels={LABELS} submit="Make the token">
      <AccountName email={email} />
      <Field
        {...field}
        name="name"
        label={LABELS.name}
        maxlength={100}
        autocomplete="off"
        hint="For you, such as what the script does and where it runs."
      />
      <fieldset
        class="checks"
        id="token-scope"
        tabindex={-1}
        aria-describedby={state.problems.scope && "token-scope-problem"}
      >
        <legend>{LABELS.scope}</legend>
        {state.problems.scope && (
          <p class="problem" id="token-scope-problem">
            <span class="sr-only">Error: </span>
            {`${LABELS.scope} ${state.problems.scope}`}
          </p>
        )}
        {SCOPE_NAMES.map((name) => (
          <Tick {...field} name={`may_${name}`} label={asSentence(SCOPES[name])} hint={`Scope ${name}`} />
        ))}
        <Tick
          {...field}
          name="may_*"
          label="Everything, and register, change and delete your apps"
          hint="Scope *"
        />
      </fieldset>
      <Field
        {...field}
        name="days"
        label={LABELS.days}
        options={DAYS.map((days): [string, string] => [days, days === "365" ? "a year" : `${days} days`])}
      />
      <Field
        {...field}
        name="current_password"
        label={LABELS.current_password}
        type="password"
        autocomplete="current-password"
      />
    </Form>
  );
};

const asSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

interface Made {
  name: string;
  scope: string;
  token: string;
}

/** Shows the token once: nothing of it is stored. */
export const showMade = (c: Context<AppEnv>, { name, scope, token }: Made): Response =>
  showPage(
    c,
    "Your new token",
    <div class="settings">
      <h1>Your new token</h1>
      <section class="card">
        <h2>{name}</h2>
        <p>{allowedIn(scope)}</p>
        <div class="done">
          <Secret env={c.env} text={token} id="token" />
          <p>Keep it now, in a safe place: it is not shown again.</p>
        </div>
        <p>Send it as a header:</p>
        <pre tabindex={0}>
          <code>{`curl '${apiUrl(c.env, "/me")}' -H "Authorization: OAuth $TOKEN"`}</code>
        </pre>
        <p>
          <a class="button" href={PATH}>
            I have kept it
          </a>
        </p>
      </section>
    </div>,
  );
