/** `3:07`, and `1:02:03` from an hour on. Rounds down, as players do. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Created with the first page, because a format takes milliseconds of the Worker's start. */
let dayFormat: Intl.DateTimeFormat | undefined;

export function day(instant: string): string {
  dayFormat ??= new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
  return dayFormat.format(new Date(instant));
}

let momentFormat: Intl.DateTimeFormat | undefined;

/** `24 December 2026 at 18:00 UTC`. */
export function moment(instant: string): string {
  momentFormat ??= new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${momentFormat.format(new Date(instant))} UTC`;
}

export const number = (count: number): string => count.toLocaleString("en-GB");

/** Milliseconds of a time as people write it: `83`, `1:23` or `1:02:03`. */
export function readClock(text: string): number | undefined {
  const [, hours = "0", minutes = "0", seconds] =
    /^\s*(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5})\s*$/.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
