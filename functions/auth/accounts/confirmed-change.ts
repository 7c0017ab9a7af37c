import type { Context } from "hono";
import * as z from "zod";
import { beginChange, type Change } from "../../../db/queries/account-changes.ts";
import { addressOf } from "../../lib/http/address.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { MAX_PASSWORD_BYTES, refuseWhileCrowded, verifyPassword } from "../../lib/security/password.ts";
import { sessionOf } from "./settings.tsx";
import { tooManyAttempts } from "./sign-in.tsx";

/** Field of forms that require the password again, because access to an open browser must not suffice. */
export const CurrentPassword = z
  .string()
  .min(1, "must not be empty")
  .refine((password) => Buffer.byteLength(password) <= MAX_PASSWORD_BYTES, "is wrong");

export const WRONG_PASSWORD = { current_password: "is wrong" };

type Confirmed =
  | { outcome: "signed_out" }
  | { outcome: "wrong" }
  /** `user` is the id of whoever is signed in. */
  | { outcome: "confirmed"; user: number; by: Change };

/** Counts the attempt and verifies the password. */
export async function confirmChange(c: Context<AppEnv>, password: string): Promise<Confirmed> {
  refuseWhileCrowded(c.env);
  const begun = await beginChange(c.var.db, sessionOf(c), addressOf(c.req));
  if (begun.outcome === "signed_out") return begun;
  if (begun.outcome === "limited") return tooManyAttempts(begun.retry_after);
  const { user, password_hash: seenHash, attempt } = begun;
  if (!(await verifyPassword(password, seenHash, c.env))) return { outcome: "wrong" };
  return { outcome: "confirmed", user, by: { sessionHash: sessionOf(c), seenHash, attempt } };
}
