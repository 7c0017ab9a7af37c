import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { Database } from "../../db/client.ts";
import { SessionEnded } from "../../db/faults.ts";
import type { AppEnv, SignedInViewer, Viewer } from "../lib/http/env.ts";
import { sign, verify } from "../lib/security/signing.ts";
import { cookieFlags, cookieName, SITE_SESSION_TTL_S } from "./cookies.ts";

/** {web_url}'s own session. It names a session of the built-in app; each statement checks that it is live. */

const nameIn = (c: Context<AppEnv>): string => cookieName(c.env.WEB_URL, "viewer");

const Payload = z.tuple([z.int(), z.int()]);

/** Client id of the built-in app. It has no secret and no redirect address, so no other flow opens it. */
const SITE_CLIENT = "site";

/** Reads public content. Statements recognize the session's id, and no token can carry it. */
export const SITE_VISITOR: Viewer = { sessionId: -1, clientId: SITE_CLIENT, userId: null };

declare module "hono" {
  interface ContextVariableMap {
    /** Set once the request has found the cookie's session ended. */
    siteViewerEnded: true | undefined;
  }
}

/** The signed-in reader of a page, unverified: the session may have ended since. */
export function siteViewer(c: Context<AppEnv>): SignedInViewer | undefined {
  if (c.get("siteViewerEnded")) return undefined;
  const payload = verify(c.env, "viewer", getCookie(c, nameIn(c)) ?? "");
  if (payload === undefined) return undefined;
  const [sessionId, userId] = Payload.parse(JSON.parse(payload));
  return { sessionId, userId, clientId: SITE_CLIENT };
}

/** The database for the reader's page. */
const databaseFor = (c: Context<AppEnv>): Database =>
  siteViewer(c) ? c.get("db") : c.get("db").forVisitors();

export const setSiteViewer = (c: Context<AppEnv>, sessionId: number, userId: number): void =>
  setCookie(c, nameIn(c), sign(c.env, "viewer", JSON.stringify([sessionId, userId])), {
    ...cookieFlags(c.env.WEB_URL),
    maxAge: SITE_SESSION_TTL_S,
  });

export const clearSiteViewer = (c: Context<AppEnv>): void => {
  c.set("siteViewerEnded", true);
  deleteCookie(c, nameIn(c), cookieFlags(c.env.WEB_URL));
};

const operatorName = (c: Context<AppEnv>): string => cookieName(c.env.WEB_URL, "operator");

/** Notes in the browser that its reader is an operator. It shows a link in the menu and opens nothing. */
export const setSiteOperator = (c: Context<AppEnv>, userId: number): void =>
  setCookie(c, operatorName(c), sign(c.env, "operator", String(userId)), {
    ...cookieFlags(c.env.WEB_URL),
    maxAge: SITE_SESSION_TTL_S,
  });

export const clearSiteOperator = (c: Context<AppEnv>): void => {
  deleteCookie(c, operatorName(c), cookieFlags(c.env.WEB_URL));
};

/** Whether the browser has noted that this reader is an operator. */
export const isNotedOperator = (c: Context<AppEnv>): boolean => {
  const viewer = siteViewer(c);
  const noted = getCookie(c, operatorName(c));
  return viewer !== undefined && verify(c.env, "operator", noted ?? "") === String(viewer.userId);
};

/** Reads as the signed-in reader. An ended session reads as a visitor. */
export async function readAsReader<Found>(
  c: Context<AppEnv>,
  read: (db: Database, viewer: Viewer) => Promise<Found>,
): Promise<Found> {
  const viewer = siteViewer(c);
  try {
    return await read(databaseFor(c), viewer ?? SITE_VISITOR);
  } catch (error) {
    if (!(error instanceof SessionEnded) || !viewer) throw error;
    clearSiteViewer(c);
    return read(databaseFor(c), SITE_VISITOR);
  }
}

/** A sign-in that this browser began. */
const Entry = z.tuple([z.string(), z.string(), z.string(), z.int()]);

interface SiteEntry {
  state: string;
  /** RFC 7636. */
  verifier: string;
  /** Path on this host. */
  next: string;
}

/** Seconds to sign in, or to sign up and read the mail. */
const ENTRY_TTL_S = 3600;

/** Pending sign-ins of a browser, one per tab. Each has a cookie, and requests carry all of them. */
const MOST_ENTRIES = 8;

/** Characters. Browsers drop cookies of more than 4,096 bytes. */
const MAX_NEXT = 1_000;

/** Each sign-in has a cookie of its own, because a browser that restores its tabs begins several at once. */
const entryName = (c: Context<AppEnv>, state: string): string =>
  cookieName(c.env.WEB_URL, `entry-${state.slice(-8)}`);

/** Names of the browser's entries, the oldest first, as RFC 6265 §5.4 sorts cookies. */
const entryNames = (c: Context<AppEnv>): string[] =>
  Object.keys(getCookie(c)).filter((name) => /^(?:__Host-)?entry-/.test(name));

export function rememberEntry(c: Context<AppEnv>, { state, verifier, next }: SiteEntry): void {
  const flags = cookieFlags(c.env.WEB_URL);
  const expiresAtS = Math.ceil(Date.now() / 1000) + ENTRY_TTL_S;
  const entry = [state, verifier, next.length > MAX_NEXT ? "/" : next, expiresAtS];
  for (const name of entryNames(c).slice(0, 1 - MOST_ENTRIES)) deleteCookie(c, name, flags);
  setCookie(c, entryName(c, state), sign(c.env, "entry", JSON.stringify(entry)), {
    ...flags,
    maxAge: ENTRY_TTL_S,
  });
}

/** Returns the sign-in with this state, once, if this browser began it. */
export function takeEntry(c: Context<AppEnv>, asked: string): SiteEntry | undefined {
  if (!/^[\w-]{20,60}$/.test(asked)) return undefined;
  const name = entryName(c, asked);
  const payload = verify(c.env, "entry", getCookie(c, name) ?? "");
  if (payload === undefined) return undefined;
  const [state, verifier, next, expiresAtS] = Entry.parse(JSON.parse(payload));
  if (state !== asked) return undefined;
  deleteCookie(c, name, cookieFlags(c.env.WEB_URL));
  return expiresAtS * 1000 > Date.now() ? { state, verifier, next } : undefined;
}
