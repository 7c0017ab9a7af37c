import type { CreditState } from "../../../../db/schema/credits.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "../acts/act-button.tsx";

interface CreditActsProps {
  env: Env;
  reader: Reader;
  track: { id: number; title: string };
  state: CreditState;
}

/** Answers to a credit, or the withdrawal of one that was accepted. */
export const CreditActs = ({ env, reader, track: { id, title }, state }: CreditActsProps) => (
  <>
    {state !== "accepted" && (
      <ActButton
        env={env}
        reader={reader}
        id={id}
        act="accept-credit"
        label={`Accept the credit on ${title}`}
      >
        Accept
      </ActButton>
    )}
    {state !== "declined" && (
      <ActButton
        env={env}
        reader={reader}
        id={id}
        act="decline-credit"
        label={`${state === "accepted" ? "Withdraw" : "Decline"} the credit on ${title}`}
      >
        {state === "accepted" ? "Withdraw" : "Decline"}
      </ActButton>
    )}
  </>
);
