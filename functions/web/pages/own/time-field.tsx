import { Field, type FormState } from "../../../ui/form.tsx";

/** Fields of this suffix hold the offset of a time's zone, if the script knows it. */
const OFFSET = "_offset";

/** A date with a time of day as browsers send it, without a zone. */
const ENTERED = /^\d{4,6}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?$/;

/** Converts a time in RFC 3339 to a field's value: in UTC, without seconds that are zero. */
export const enteredOf = (instant: string): string =>
  new Date(instant).toISOString().slice(0, 19).replace(/:00$/, "");

/** Converts a field in UTC to the API's value. The API refuses a text that is not a time, and names the field. */
export const instantOf = (entered: string): string =>
  ENTERED.test(entered)
    ? `${entered.length === "yyyy-mm-ddThh:mm".length ? `${entered}:00` : entered}Z`
    : entered;

/** The fields with a time moved to UTC, which each page shows first. */
export function inUtc(fields: Record<string, string>, name: string): Record<string, string> {
  const { [name]: entered = "", [name + OFFSET]: offset = "" } = fields;
  const instant = instantOf(entered).replace(/Z$/, offset);
  if (!ENTERED.test(entered) || !/^[+-]\d\d:\d\d$/.test(offset) || !Number.isFinite(Date.parse(instant)))
    return fields;
  return { ...fields, [name]: enteredOf(instant) };
}

interface TimeFieldProps {
  form: string;
  state: FormState;
  name: string;
  label: string;
  hint: string | undefined;
}

/**
 * A field for a time, labelled as UTC. The script shows it in the reader's own zone, and sends the zone's offset
 * along.
 */
export const TimeField = ({ form, state, name, label, hint = "" }: TimeFieldProps) => (
  <zoned-time class="short">
    <Field
      form={form}
      state={state}
      name={name}
      label={`${label} (UTC)`}
      hint={hint}
      type="datetime-local"
      optional="unsaid"
    />
    <input type="hidden" name={name + OFFSET} value="" disabled />
  </zoned-time>
);
