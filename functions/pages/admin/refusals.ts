import { HttpError } from "../../http-error.ts";
import { REFUSED } from "../../moderation/outcomes.ts";

/** Why nothing was done, by what was to be changed and the outcome. Pages and commands say it alike. */
export const REFUSALS = {
  job: {
    unknown: "There is no such job",
    finished: "The job has finished",
    running: "The job is running",
    failed: "The job has failed already",
  },
  letter: {
    unknown: "There is no such letter; it may have been sent or dropped",
    unsendable: "The letter fits no queue, so it cannot be sent",
  },
  mail: {
    unknown: "There is no such mail; it may have been sent or dropped",
    unsendable: "There is no such mail whose link still works; its recipient can ask for another",
  },
  delivery: {
    unknown: "There is no such delivery",
    running: "An attempt is running at this moment",
    disabled: "The webhook is switched off",
    failed: "The delivery has failed already",
    delivered: "The delivery has arrived",
  },
  ...REFUSED,
} as const;

/** Tells the operator why nothing was done. */
export function refuse<Kind extends keyof typeof REFUSALS>(
  kind: Kind,
  outcome: keyof (typeof REFUSALS)[Kind],
): never {
  throw new HttpError(409, [`${String(REFUSALS[kind][outcome])}. Nothing was changed.`]);
}
