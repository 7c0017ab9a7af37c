import * as z from "zod";
import type { DeliveryRow } from "../../../db/queries/webhook-deliveries.ts";
import { about } from "../../lib/text/fields.ts";

/** Events that a webhook can subscribe to. */
export const EVENTS = [
  "track.finished",
  "track.failed",
  "track.published",
  "comment.created",
  "like.created",
  "follow.created",
] as const satisfies DeliveryRow["event"][];

export const DisabledReason = z.enum(["failing", "gone", "access_ended"]).meta({ example: null });

export const DeliveryState = z
  .enum(["pending", "delivered", "failed"])
  .meta(about("`pending` while attempts go on.", "delivered"));

/** Reasons why an attempt failed. */
export const AttemptFailure = z
  .enum(["status", "redirect", "timeout", "unreachable", "unresolved", "private_target", "unsigned"])
  .meta({ example: null });
export type AttemptFailure = z.infer<typeof AttemptFailure>;
