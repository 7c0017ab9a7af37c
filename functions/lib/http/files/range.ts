/** Inclusive bounds within an object. */
export interface ExactRange {
  start: number;
  end: number;
}

/** RFC 9110 §14. No range, or one that may be ignored, is "whole"; `undefined` cannot be satisfied. */
export function parseRange(header: string | undefined, size: number): ExactRange | "whole" | undefined {
  const found = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  const [, first = "", last = ""] = found ?? [];
  if (!found || (first === "" && last === "")) return "whole";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length > 0 ? { start: size - length, end: size - 1 } : undefined;
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return "whole";
  return start < size ? { start, end } : undefined;
}
