import type * as z from "zod";

type Issue = z.core.$ZodRawIssue;

const TYPES: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  bigint: "a whole number",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  date: "a time",
  file: "a file",
};

const FORMATS: Record<string, string> = {
  email: "an e-mail address",
  url: "an address",
  uuid: "a UUID",
  datetime: "a time, as RFC 3339 has it",
  date: "a date, as yyyy-mm-dd",
};

const UNITS: Record<string, [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  file: ["byte", "bytes"],
};

/** Says what is wrong with a value, as the end of a sentence that begins with its name. For schemas that say nothing themselves. */
export function issueInWords(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPES[issue.expected] ?? issue.expected}, not ${typeOf(issue.input)}`;
    case "invalid_value":
      return `must be one of: ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return `must be ${FORMATS[issue.format] ?? "in another form"}`;
    case "too_small":
      return `must ${amount("at least", issue.origin, issue.minimum)}`;
    case "too_big":
      return `must ${amount("at most", issue.origin, issue.maximum)}`;
    case "unrecognized_keys":
      return `has what does not belong there: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return unionInWords(issue.errors);
    default:
      return "is not accepted";
  }
}

/** "a text, not a list": what was sent is named only where its kind is wrong. */
function typeOf(input: unknown): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return "a list";
  if (typeof input === "number") return Number.isInteger(input) ? "a number" : "a fraction";
  return TYPES[typeof input] ?? typeof input;
}

function amount(bound: string, origin: string, value: number | bigint): string {
  const unit = UNITS[origin];
  return unit ? `have ${bound} ${value} ${Number(value) === 1 ? unit[0] : unit[1]}` : `be ${bound} ${value}`;
}

/** The alternative that was meant is the one that fails deepest inside, or else all are named. */
function unionInWords(alternatives: z.core.$ZodIssue[][]): string {
  const deepest = alternatives.find((issues) => issues.some(({ path }) => path.length > 0));
  const meant = deepest ? [deepest] : alternatives;
  const words = meant.flatMap((issues) => issues.slice(0, 1).map(({ message }) => message));
  return [...new Set(words)].join(", or ") || "is not accepted";
}
