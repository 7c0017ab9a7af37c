import * as z from "zod";
import { text } from "../../lib/text/fields.ts";

/** Characters. */
const MAX_REASON = 1_000;

/** An operator's reason. Affected users read it. */
export const Reason = text(MAX_REASON).min(1, "is missing");

/** An operator's words about a report. */
export const Note = text(MAX_REASON);

export const ReportState = z.enum(["open", "resolved", "dismissed"]);
