/** Times of a day in the browser's zone. */

const two = (n: number) => String(n).padStart(2, "0");

/** The value of a field for a time in the browser's zone. */
export function entered(at: Date): string {
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const seconds = at.getSeconds() ? `:${two(at.getSeconds())}` : "";
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** The offset of the browser's zone at a time, such as `+02:00`. It differs between summer and winter. */
export function offsetAt(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const [h, m] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${two(h)}:${two(m)}`;
}

/** `Europe/Berlin, UTC+02:00`, or `UTC`. */
export function zoneAt(at: Date): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === "UTC" ? timeZone : `${timeZone.replaceAll("_", " ")}, UTC${offsetAt(at)}`;
}
