import { createHash } from "node:crypto";
import type { Context } from "hono";
import * as z from "zod";
import type { KnownBrowser } from "../../../db/queries/accounts.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { randomBase62 } from "../../lib/security/random.ts";
import { sign, verify } from "../../lib/security/signing.ts";
import { readDeviceCookie, setDeviceCookie } from "../../ui/cookies.ts";

/** Seconds since the browser last signed in. */
const TTL_S = 365 * 24 * 3600;

const Payload = z.tuple([z.int(), z.string(), z.string(), z.number()]);

/** Changes with the password, so that a browser known by the old one becomes unknown. */
const fingerprint = (passwordHash: string) => createHash("sha256").update(passwordHash).digest("hex");

/** The account last opened in this browser. Wrong guesses made elsewhere do not lock this browser out. */
export function knownBrowser(c: Context<AppEnv>): KnownBrowser | undefined {
  const payload = verify(c.env, "device", readDeviceCookie(c) ?? "");
  if (payload === undefined) return undefined;
  const [user, browser, password, expiresAtS] = Payload.parse(JSON.parse(payload));
  return expiresAtS * 1000 > Date.now() ? { user, browser, password } : undefined;
}

/**
 * Call this after the right password was entered or set. The browser keeps its name, and so its count of wrong guesses.
 */
export function rememberBrowser(c: Context<AppEnv>, user: number, passwordHash: string): void {
  const known = knownBrowser(c);
  const browser = known?.user === user ? known.browser : randomBase62(22);
  const payload = [user, browser, fingerprint(passwordHash), Math.ceil(Date.now() / 1000) + TTL_S];
  setDeviceCookie(c, sign(c.env, "device", JSON.stringify(payload)), TTL_S);
}
