/** Seconds of a `Retry-After` header in either form. Returns `undefined` if it names no future time. RFC 9110 §10.2.3 */
export function retryAfterS(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return seconds > 0 ? Math.ceil(seconds) : undefined;
}
