import { userInfo } from "node:os";
import type { By } from "../../db/queries/acts.ts";
import { Reason } from "../../functions/api/moderation/input.ts";
import { check, type Invocation } from "./arguments.ts";

/** The command line's acts bear the name of whoever is signed in at the machine. */
export const by = (given: Invocation): By => ({
  actor: `command line: ${process.env.SUDO_USER ?? userInfo().username}`,
  reason: given.option("reason") === undefined ? null : reasonOf(given),
});

/** An act that concerns somebody, who reads its reason. */
export const withReason = (given: Invocation): By & { reason: string } => ({
  ...by(given),
  reason: reasonOf(given),
});

const reasonOf = (given: Invocation): string => check(Reason, "reason", given.required("reason"));
