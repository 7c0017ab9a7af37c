import type { Limits } from "../../../../db/queries/moderation-quotas.ts";
import { LIMITS, type LimitName } from "../../../../db/queries/people.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { LimitText } from "../../../lib/text/quota.ts";
import { clock } from "../../../ui/words.ts";
import { size } from "./words.ts";

const LABELS: Record<LimitName, string> = {
  seconds: "Seconds of audio",
  bytes: "Bytes of files",
  tracks: "Tracks",
};

/** Fields for the limits of a plan or a user. A user's -1 reads `none`. */
export const LimitFields = ({ of, hint }: { of: Limits; hint: string }) => (
  <>
    <p class="hint">{hint}</p>
    {LIMITS.map((name) => (
      <label class="entry">
        <span>{LABELS[name]}</span>
        <input
          name={name}
          value={of[name] === -1 ? "none" : String(of[name] ?? "")}
          maxlength={15}
          autocomplete="off"
        />
      </label>
    ))}
  </>
);

/** Parses those fields. Empty is null; `none` is the caller's value for no limit. */
export function limitsIn(fields: Record<string, string>, none: null | -1): Limits {
  const limits: Limits = {};
  for (const name of LIMITS) {
    const typed = (fields[name] ?? "").trim();
    if (typed === "") limits[name] = null;
    else if (typed === "none") limits[name] = none;
    else {
      const read = LimitText.safeParse(typed);
      limits[name] = read.success
        ? read.data
        : invalid(`${LABELS[name]} ${read.error.issues[0]?.message}. Nothing was changed.`);
    }
  }
  return limits;
}

const WRITTEN: Record<LimitName, (amount: number) => string> = {
  seconds: (amount) => clock(amount * 1000),
  bytes: size,
  tracks: String,
};

/** An amount as people read it; null is no limit. */
export const amountOf = (name: LimitName, amount: number | null): string =>
  amount === null ? "no limit" : WRITTEN[name](amount);

/** `0:29 of 3:00:00`. */
export const usedOf = (name: LimitName, used: number, limit: number | null): string =>
  `${amountOf(name, used)}${limit === null ? ", " : " of "}${amountOf(name, limit)}`;
