import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import type { AppEnv, SignedInViewer, Viewer } from "../http/env.ts";
import { sign, verify } from "../security/signing.ts";
import { cookieFlags, cookieName, SITE_SESSION_TTL_S } from "./cookies.ts";

/** {web_url}'s own session. It names a session of the built-in app; each statement checks that it lives. */

const nameIn = (c: Context<AppEnv>, kind: "viewer" | "entry"): string => cookieName(c.env.WEB_URL, kind);

const Payload = z.tuple([z.int(), z.int()]);

/** Client id of the built-in app. It has no secret and no redirect address, so no other flow opens it. */
const SITE_CLIENT = "site";

/** Reads what everybody may. Statements recognize the session's id, and no token can carry it. */
export const SITE_VISITOR: Viewer = { sessionId: -1, clientId: SITE_CLIENT, userId: null };

declare module "hono" {
  interface ContextVariableMap {
    /** Set once the request has found that the cookie's session has ended. */
    siteViewerEnded: true | undefined;
  }
}

/** The signed-in reader of a page, unverified: the session may have ended since. */
export function siteViewer(c: Context<AppEnv>): SignedInViewer | undefined {
  if (c.get("siteViewerEnded")) return undefined;
  const payload = verify(c.env, "viewer", getCookie(c, nameIn(c, "viewer")) ?? "");
  if (payload === undefined) return undefined;
  const [sessionId, userId] = Payload.parse(JSON.parse(payload));
  return { sessionId, userId, clientId: SITE_CLIENT };
}

export const setSiteViewer = (c: Context<AppEnv>, sessionId: number, userId: number): void =>
  setCookie(c, nameIn(c, "viewer"), sign(c.env, "viewer", JSON.stringify([sessionId, userId])), {
    ...cookieFlags(c.env.WEB_URL),
    maxAge: SITE_SESSION_TTL_S,
  });

export const clearSiteViewer = (c: Context<AppEnv>): void => {
  c.set("siteViewerEnded", true);
  deleteCookie(c, nameIn(c, "viewer"), cookieFlags(c.env.WEB_URL));
};

/** A sign-in that this browser began. */
const Entry = z.tuple([z.string(), z.string(), z.string(), z.int()]);

export interface SiteEntry {
  state: string;
  /** RFC 7636. */
  verifier: string;
  /** Path on this host. */
  next: string;
}

/** Seconds to sign in, or to sign up and read one's mail. */
const ENTRY_TTL_S = 3600;

export function rememberEntry(c: Context<AppEnv>, { state, verifier, next }: SiteEntry): void {
  const expiresAtS = Math.ceil(Date.now() / 1000) + ENTRY_TTL_S;
  setCookie(
    c,
    nameIn(c, "entry"),
    sign(c.env, "entry", JSON.stringify([state, verifier, next, expiresAtS])),
    {
      ...cookieFlags(c.env.WEB_URL),
      maxAge: ENTRY_TTL_S,
    },
  );
}

/** Returns the sign-in that this browser began, once. */
export function takeEntry(c: Context<AppEnv>): SiteEntry | undefined {
  const payload = verify(c.env, "entry", getCookie(c, nameIn(c, "entry")) ?? "");
  if (payload === undefined) return undefined;
  deleteCookie(c, nameIn(c, "entry"), cookieFlags(c.env.WEB_URL));
  const [state, verifier, next, expiresAtS] = Entry.parse(JSON.parse(payload));
  return expiresAtS * 1000 > Date.now() ? { state, verifier, next } : undefined;
}
