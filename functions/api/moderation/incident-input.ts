import * as z from "zod";
import { STATUS_PARTS } from "../../../db/schema/status.ts";
import { text } from "../../lib/text/fields.ts";
import { rfc3339Text } from "../../lib/text/instant.ts";

/** Empty means none. */
const IncidentTime = z.preprocess((given) => given || null, rfc3339Text.nullable());

/** An operator's announcement about the service, as forms and the command line send it. */
export const NewIncident = z
  .object({
    title: text(200).min(1, "is missing"),
    text: text(5_000).min(1, "is missing"),
    parts: z.array(z.enum(STATUS_PARTS)),
    beginsAt: IncidentTime,
    endsAt: IncidentTime,
  })
  .refine(({ beginsAt, endsAt }) => !endsAt || endsAt > (beginsAt ?? new Date().toISOString()), {
    path: ["endsAt"],
    message: "must be later than the beginning and than now",
  })
  // Only maintenance knows its end.
  .transform((given) => ({
    ...given,
    kind: given.endsAt ? ("maintenance" as const) : ("incident" as const),
  }));

export const IncidentText = text(5_000).min(1, "is missing");
