import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { NewSession } from "../../db/queries/accounts.ts";
import type { AppEnv, Env } from "../lib/http/env.ts";
import { hashSecret, newSecret } from "../lib/security/random.ts";
import { browserName } from "./browser-name.ts";

/** Seconds that a browser stays signed in. */
export const SITE_SESSION_TTL_S = 30 * 24 * 3600;

/**
 * `__Host-` over https, which no other host can set. Locally the name contains the port, because cookies
 * ignore ports.
 */
const nameOf = (env: Pick<Env, "AUTH_URL">, kind: "sid" | "form" | "device" | "asked"): string =>
  cookieName(env.AUTH_URL, kind);

export const cookieName = (hostUrl: string, kind: string): string => {
  const { protocol, port } = new URL(hostUrl);
  return protocol === "https:" ? `__Host-${kind}` : `${kind}-${port || 80}`;
};

const flags = (env: Pick<Env, "AUTH_URL">) => cookieFlags(env.AUTH_URL);

export const cookieFlags = (hostUrl: string) =>
  ({ path: "/", httpOnly: true, sameSite: "Lax", secure: hostUrl.startsWith("https:") }) as const;

/** Returns the session's hash, or `undefined` without a plausible cookie. */
export function siteSessionHash(c: Context<AppEnv>): string | undefined {
  const value = getCookie(c, nameOf(c.env, "sid"));
  return value && /^ss_[\w-]{43}$/.test(value) ? hashSecret(value) : undefined;
}

/** Always makes a new value, which prevents session fixation. */
export function newSiteSession(): { cookie: string; hash: string } {
  const cookie = newSecret("ss");
  return { cookie, hash: hashSecret(cookie) };
}

export function newSessionOf(c: Context<AppEnv>): { cookie: string; session: NewSession } {
  const { cookie, hash } = newSiteSession();
  const browser = browserName(c.req.header("User-Agent"));
  return { cookie, session: { hash, ttlS: SITE_SESSION_TTL_S, browser, replacing: siteSessionHash(c) } };
}

export const setSiteCookie = (c: Context<AppEnv>, cookie: string): void =>
  setCookie(c, nameOf(c.env, "sid"), cookie, { ...flags(c.env), maxAge: SITE_SESSION_TTL_S });

export const clearSiteCookie = (c: Context<AppEnv>): void => {
  deleteCookie(c, nameOf(c.env, "sid"), flags(c.env));
};

/** Binds forms to a signed-out browser. Made when a form is first shown. */
export function formCookie(c: Context<AppEnv>): string {
  const known = getCookie(c, nameOf(c.env, "form"));
  if (known && /^[\w-]{20,}$/.test(known)) return known;
  const made = newSecret("ss");
  setCookie(c, nameOf(c.env, "form"), made, flags(c.env));
  return made;
}

/** Seconds. */
const ASKED_TTL_S = 600;

/** The address that was typed to request a mail, for the next page to show. */
export const setAskedCookie = (c: Context<AppEnv>, address: string): void =>
  setCookie(c, nameOf(c.env, "asked"), address, { ...flags(c.env), maxAge: ASKED_TTL_S });

export const readAskedCookie = (c: Context<AppEnv>): string | undefined =>
  getCookie(c, nameOf(c.env, "asked"));

export const readFormCookie = (c: Context<AppEnv>): string | undefined => getCookie(c, nameOf(c.env, "form"));

/** Outlives the session: it only says that an account was opened here before. */
export const setDeviceCookie = (c: Context<AppEnv>, value: string, maxAge: number): void =>
  setCookie(c, nameOf(c.env, "device"), value, { ...flags(c.env), maxAge });

export const readDeviceCookie = (c: Context<AppEnv>): string | undefined =>
  getCookie(c, nameOf(c.env, "device"));
