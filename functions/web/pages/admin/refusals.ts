import { REFUSALS } from "../../../api/moderation/refusals.ts";
import { HttpError } from "../../../lib/errors/http-error.ts";

/** Shows the operator why nothing was done. */
export function refuse<Kind extends keyof typeof REFUSALS>(
  kind: Kind,
  outcome: keyof (typeof REFUSALS)[Kind],
): never {
  throw new HttpError(409, [`${String(REFUSALS[kind][outcome])}. Nothing was changed.`]);
}
