import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { AppEnv, Env } from "../http/env.ts";
import { hashSecret, newSecret } from "../security/random.ts";

/** Seconds that a browser stays signed in. */
export const SITE_SESSION_TTL_S = 30 * 24 * 3600;

/** Over https `__Host-`, which no other host can set; locally the name carries the port, because cookies ignore ports. */
const nameOf = (env: Pick<Env, "AUTH_URL">, kind: "sid" | "form" | "device"): string => {
  const { protocol, port } = new URL(env.AUTH_URL);
  return protocol === "https:" ? `__Host-${kind}` : `${kind}-${port || 80}`;
};

const flags = (env: Pick<Env, "AUTH_URL">) =>
  ({ path: "/", httpOnly: true, sameSite: "Lax", secure: env.AUTH_URL.startsWith("https:") }) as const;

/** The hash under which the session stands; `undefined` without a cookie that could be one. */
export function siteSessionHash(c: Context<AppEnv>): string | undefined {
  const value = getCookie(c, nameOf(c.env, "sid"));
  return value && /^ss_[\w-]{43}$/.test(value) ? hashSecret(value) : undefined;
}

/** Always a new value, whatever the browser had: a session fixed by somebody else is worth nothing. */
export function newSiteSession(): { cookie: string; hash: string } {
  const cookie = newSecret("ss");
  return { cookie, hash: hashSecret(cookie) };
}

export const setSiteCookie = (c: Context<AppEnv>, cookie: string): void =>
  setCookie(c, nameOf(c.env, "sid"), cookie, { ...flags(c.env), maxAge: SITE_SESSION_TTL_S });

export const clearSiteCookie = (c: Context<AppEnv>): void => {
  deleteCookie(c, nameOf(c.env, "sid"), flags(c.env));
};

/** Binds forms to a browser that is not signed in. Made when a form is first shown. */
export function formCookie(c: Context<AppEnv>): string {
  const known = getCookie(c, nameOf(c.env, "form"));
  if (known && /^[\w-]{20,}$/.test(known)) return known;
  const made = newSecret("ss");
  setCookie(c, nameOf(c.env, "form"), made, flags(c.env));
  return made;
}

export const readFormCookie = (c: Context<AppEnv>): string | undefined => getCookie(c, nameOf(c.env, "form"));

/** Outlasts signing out: it says only that an account was opened here before. */
export const setDeviceCookie = (c: Context<AppEnv>, value: string, maxAge: number): void =>
  setCookie(c, nameOf(c.env, "device"), value, { ...flags(c.env), maxAge });

export const readDeviceCookie = (c: Context<AppEnv>): string | undefined =>
  getCookie(c, nameOf(c.env, "device"));
