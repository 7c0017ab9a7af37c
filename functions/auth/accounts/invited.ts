import type { Database } from "../../../db/client.ts";
import { findInvitationState, type InvitationState } from "../../../db/queries/invitations.ts";
import { hashSecret } from "../../lib/security/random.ts";

/** Codes of invitations, as visitors bring them. */

const PROBLEMS: Record<Exclude<InvitationState, "open">, string> = {
  used_up: "was used as often as it may be; ask for another",
  expired: "has expired; ask for another",
  ended: "was ended; ask for another",
};

/** Another sign-up took the last use while this one was under way, or an operator ended it. */
export const INVITED_MEANWHILE = "has been used up or ended in the meantime; ask for another";

/** The code in an invitation's link, or the text itself. */
export const codeIn = (text: string): string => /[?&]invitation=([\w-]+)/.exec(text)?.[1] ?? text.trim();

/** Returns why an invitation lets nobody in, or `undefined`. No state: there is no such invitation. */
export function invitationProblem(state: InvitationState | undefined): string | undefined {
  if (state === undefined) return "is not known here; copy the whole link that you got";
  return state === "open" ? undefined : PROBLEMS[state];
}

export const problemOfCode = async (db: Database, code: string): Promise<string | undefined> =>
  invitationProblem(await findInvitationState(db, hashSecret(code)));
