import type { Context } from "hono";
import type { AppEnv, Env } from "../http/env.ts";
import type { AuthorizeRequest } from "./authorize-rules.ts";

type Addressee = Pick<AuthorizeRequest, "redirectUri" | "state" | "rules" | "responseType">;

/**
 * A refusal that the app is to hear: RFC 6749 §4.1.2.1. The browser shows it as a page with a link, because nobody has acted
 * yet. A server that redirects at once sends people wherever a registered app wants: RFC 9700 §4.11.2.
 */
export class RefusedRequest extends Error {
  readonly to: Addressee;
  readonly parameters: Record<string, string>;

  constructor(to: Addressee, code: string, description: string) {
    super(description);
    this.name = "RefusedRequest";
    this.to = to;
    this.parameters = { error: code, error_description: description };
  }
}

/** The refusal of a signed-in user who has answered the consent page: the browser goes back at once. */
export class RedirectedError extends RefusedRequest {
  override name = "RedirectedError";
}

/** Appended to the URI as it was registered: a parser would rewrite it. */
export const withQuery = (uri: string, query: Record<string, string>): string =>
  uri + joint(uri) + encode(query);

type Added = Record<string, string>;

/** Always 303, so that the form that led here is not sent on: RFC 9700 §4.12. */
export function redirectBack(
  c: Context<AppEnv>,
  to: Addressee,
  query: Added,
  fragment: Added = {},
): Response {
  c.header("Cache-Control", "no-store");
  return c.redirect(addressBack(c.env, to, query, fragment), 303);
}

/** `fragment` is for tokens, which servers must not see. */
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
 * Where the app hears of a refusal. Implicit clients read their errors where they read their tokens: RFC 6749 §4.2.2.1.
 */
export const addressOfRefusal = (env: Pick<Env, "AUTH_URL">, { to, parameters }: RefusedRequest): string =>
  to.responseType === "token" ? addressBack(env, to, {}, parameters) : addressBack(env, to, parameters);

const joint = (uri: string) => (uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?");

const encode = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
