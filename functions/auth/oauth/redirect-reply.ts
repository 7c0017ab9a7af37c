import type { Context } from "hono";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import type { AuthorizeRequest } from "./authorize-rules.ts";

type Addressee = Pick<AuthorizeRequest, "redirectUri" | "state" | "rules" | "responseType">;

/**
 * A refusal for the app to receive: RFC 6749 §4.1.2.1. The browser shows a page with a link, because the user
 * has not acted yet. An immediate redirect would make the server an open redirector: RFC 9700 §4.11.2.
 */
export class RefusedRequest extends Error {
  readonly to: Addressee;
  readonly parameters: Record<string, string>;
  /** Names the explanation in the docs, where there is one. */
  readonly type: string;

  constructor(to: Addressee, code: string, description: string, type = code.replaceAll("_", "-")) {
    super(description);
    this.type = type;
    this.name = "RefusedRequest";
    this.to = to;
    this.parameters = { error: code, error_description: description };
  }
}

/** A refusal after a signed-in user has decided on the consent page. The browser is redirected at once. */
export class RedirectedError extends RefusedRequest {
  override name = "RedirectedError";
}

/** Appends to the registered URI without parsing, which would rewrite it. */
export const withQuery = (uri: string, query: Record<string, string>): string =>
  uri + joint(uri) + encode(query);

type Added = Record<string, string>;

/** Always 303, so that the browser does not send the form on: RFC 9700 §4.12. */
export function redirectBack(
  c: Context<AppEnv>,
  to: Addressee,
  query: Added,
  fragment: Added = {},
): Response {
  c.header("Cache-Control", "no-store");
  return c.redirect(addressBack(c.env, to, query, fragment), 303);
}

/** `fragment` carries tokens, which servers must not see. */
function addressBack(env: Pick<Env, "AUTH_URL">, to: Addressee, query: Added, fragment: Added = {}): string {
  const { redirectUri, state, rules } = to;
  const echoed: Added = state === undefined ? {} : { state };
  const issuer: Added = rules.sendsIssuer ? { iss: env.AUTH_URL } : {};
  const inFragment = Object.keys(fragment).length > 0;
  const inQuery = Object.keys(query).length > 0;
  return [
    inQuery ? withQuery(redirectUri, { ...query, ...echoed, ...issuer }) : redirectUri,
    inFragment ? `#${encode({ ...fragment, ...echoed })}` : "",
  ].join("");
}

/**
 * Returns the app's address for a refusal. Implicit clients read errors from the fragment, where they read
 * tokens: RFC 6749 §4.2.2.1.
 */
export const addressOfRefusal = (env: Pick<Env, "AUTH_URL">, { to, parameters }: RefusedRequest): string =>
  to.responseType === "token" ? addressBack(env, to, {}, parameters) : addressBack(env, to, parameters);

const joint = (uri: string) => (uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?");

const encode = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
