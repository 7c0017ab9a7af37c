/** Prints a reply's fields one a line, and a list's rows one a paragraph. */
export function readable(reply: Record<string, unknown>): string {
  const width = Math.max(0, ...Object.keys(reply).map((name) => name.length));
  return Object.entries(reply)
    .map(([name, value]) =>
      isListOfRows(value)
        ? value.map((row) => `${readable(row)}\n`).join("") || `${name.padEnd(width)}  none\n`
        : `${name.padEnd(width)}  ${written(value)}\n`,
    )
    .join("");
}

const isListOfRows = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every((each) => typeof each === "object" && each !== null);

function written(value: unknown): string {
  if (value === null) return "-";
  const list = Array.isArray(value) ? value.join(" ") : value;
  const text = typeof list === "object" ? JSON.stringify(list) : String(list);
  // Escapes control characters: text of strangers could forge fields, control the terminal, or reverse the line's
  // direction.
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, escaped);
}

const escaped = (char: string): string =>
  char === "\n" ? "\\n" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
