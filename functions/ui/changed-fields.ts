import { hash } from "node:crypto";
import type { FormState } from "./form.tsx";

/** The hidden field with a digest of each displayed value. The values themselves would double the form's size. */
const SHOWN = "shown";

/**
 * The hidden field of a form that saves only changed fields, so that an old window overwrites no newer change. A
 * refused form keeps its first digests, because its input is not saved yet.
 */
export function shownIn({ values, problems }: FormState): Record<string, string> {
  if (Object.keys(problems).length > 0) return values[SHOWN] == null ? {} : { [SHOWN]: values[SHOWN] };
  const digests = Object.entries(values).map(([name, value]) => `${name}:${digest(value)}`);
  return { [SHOWN]: digests.join(" ") };
}

/** The fields that the user changed, or all if the form has no digests. */
export function changedIn<Fields extends object>(
  sent: Record<string, string>,
  fields: Fields,
): Partial<Fields> {
  const shown = shownOf(sent);
  if (!shown) return fields;
  const isChanged = ([name]: [string, unknown]) => digest(sent[name]) !== (shown.get(name) ?? digest(""));
  return Object.fromEntries(Object.entries(fields).filter(isChanged)) as Partial<Fields>;
}

/** Digests of the displayed values, by name. `undefined` if the form has none. */
export const shownOf = ({ [SHOWN]: told }: Record<string, string>): Map<string, string> | undefined =>
  told === undefined
    ? undefined
    : new Map(told.split(" ").map((each) => each.split(":") as [string, string]));

export const digest = (value: string | null | undefined): string =>
  hash("sha256", plainLines(value), "base64url").slice(0, 16);

/** Browsers send their own line ends. */
export const plainLines = (text: string | null | undefined): string =>
  (text ?? "").replace(/\r\n?/g, "\n").trim();
