import * as z from "zod";
import { integerText, text } from "../../lib/text/fields.ts";

/** Characters. */
const MAX_REASON = 1_000;

/** An operator's reason. Affected users read it. */
export const Reason = text(MAX_REASON).min(1, "is missing");

/** An operator's words about a report. */
export const Note = text(MAX_REASON);

/** How many accounts an invitation may make, and for how many days it holds, as operators type them. */
export const InvitationUses = integerText(1, 100_000);
export const InvitationDays = integerText(1, 3_650);

export const ReportState = z.enum(["open", "resolved", "dismissed"]);
