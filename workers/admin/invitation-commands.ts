import { endInvitation, listInvitations } from "../../db/queries/invitations.ts";
import { InvitationDays, InvitationUses, Note } from "../../functions/api/moderation/input.ts";
import { invite } from "../../functions/api/moderation/invitation.ts";
import { REFUSALS } from "../../functions/api/moderation/refusals.ts";
import { plainIdText } from "../../functions/lib/text/fields.ts";
import { check, UsageError } from "./arguments.ts";
import { by } from "./by.ts";
import type { Commands } from "./commands.ts";
import { rowsIn } from "./rows.ts";

export const invitationCommands: Commands = {
  async "invitation create"({ db, issuer }, given) {
    const uses = check(InvitationUses, "uses", given.option("uses") ?? "1");
    const days = check(InvitationDays, "days", given.option("days") ?? "14");
    const note = check(Note, "note", given.option("note") ?? "") || null;
    return { ...(await invite(db, issuer, by(given), { uses, days, note })) };
  },

  async "invitation list"({ db }, given) {
    const { from, limit } = rowsIn(given, "before");
    return { invitations: await listInvitations(db, "command line", { before: from, limit }) };
  },

  async "invitation end"({ db }, given) {
    const id = check(plainIdText, "id", given.required("id"));
    const outcome = await endInvitation(db, by(given), id);
    if (outcome !== "done") throw new UsageError(REFUSALS.invitation[outcome]);
    return { id, state: "ended" };
  },
};
