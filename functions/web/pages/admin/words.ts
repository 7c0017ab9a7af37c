/** `2026-11-23 12:00 UTC`, a form that can be searched for in logs. */
export function minute(at: string): string {
  const instant = new Date(at);
  // PostgreSQL knows infinity.
  return Number.isNaN(instant.getTime()) ? at : `${instant.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** `3 min`, or `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

/** Kilobytes and the like, by thousands. */
export function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}
