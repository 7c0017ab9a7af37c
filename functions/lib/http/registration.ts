import type { Env } from "./env.ts";
import { logLine } from "./log.ts";

/**
 * Rules of sign-up. `open`: everybody. `confirm`: everybody, who posts nothing before the e-mail address is confirmed.
 * `invite`: the same for those with an invitation. `closed`: nobody; operators make accounts.
 */
export const REGISTRATIONS = ["open", "confirm", "invite", "closed"] as const;
type Registration = (typeof REGISTRATIONS)[number];

type Settings = Pick<Env, "REGISTRATION" | "SIGN_UPS_PER_HOUR" | "UNMAILED">;

let isReported = false;

/** A setting that nobody can read lets nobody in. Unset, a deployment asks for a confirmed address. */
export function registrationOf({ REGISTRATION, SIGN_UPS_PER_HOUR }: Settings): Registration {
  if (/^0+$/.test(SIGN_UPS_PER_HOUR ?? "")) return "closed";
  const named = REGISTRATIONS.find((one) => one === (REGISTRATION || "confirm"));
  if (named) return named;
  if (!isReported) logLine("error", "registration_malformed", { used: "closed" });
  isReported = true;
  return "closed";
}

/** Whether a new account posts nothing until its address is confirmed. Where no mail leaves the server, an invitation has to do. */
export const confirmsFirst = (env: Settings): boolean =>
  registrationOf(env) !== "open" && env.UNMAILED !== "on";
