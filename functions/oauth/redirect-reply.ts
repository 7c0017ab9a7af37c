import type { Context } from "hono";
import type { AppEnv } from "../http/env.ts";
import type { AuthorizeRequest } from "./authorize-rules.ts";

type Addressee = Pick<AuthorizeRequest, "redirectUri" | "state" | "rules" | "responseType">;

/** A refusal that the app is to hear: RFC 6749 §4.1.2.1. */
export class RedirectedError extends Error {
  readonly to: Addressee;
  readonly parameters: Record<string, string>;

  constructor(to: Addressee, code: string, description: string) {
    super(description);
    this.name = "RedirectedError";
    this.to = to;
    this.parameters = { error: code, error_description: description };
  }
}

/** Appended to the URI as it was registered: a parser would rewrite it. */
export const withQuery = (uri: string, query: Record<string, string>): string =>
  uri + joint(uri) + encode(query);

/**
 * `fragment` is for tokens, which servers must not see. Always 303, so that the form that led here is not sent on:
 * RFC 9700 §4.12.
 */
export function redirectBack(
  c: Context<AppEnv>,
  to: Addressee,
  query: Record<string, string>,
  fragment: Record<string, string> = {},
): Response {
  const { redirectUri, state, rules } = to;
  const echoed: Record<string, string> = state === undefined ? {} : { state };
  const issuer: Record<string, string> = rules.sendsIssuer ? { iss: c.env.AUTH_URL } : {};
  const inFragment = Object.keys(fragment).length > 0;
  const inQuery = Object.keys(query).length > 0;
  const location = [
    inQuery ? withQuery(redirectUri, { ...query, ...echoed, ...issuer }) : redirectUri,
    inFragment ? `#${encode({ ...fragment, ...echoed })}` : "",
  ].join("");
  c.header("Cache-Control", "no-store");
  return c.redirect(location, 303);
}

/** Implicit clients read their errors where they read their tokens: RFC 6749 §4.2.2.1. */
export const redirectError = (c: Context<AppEnv>, { to, parameters }: RedirectedError): Response =>
  to.responseType === "token" ? redirectBack(c, to, {}, parameters) : redirectBack(c, to, parameters);

const joint = (uri: string) => (uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?");

const encode = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
