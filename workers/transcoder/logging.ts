/** Writes one JSON line to stderr. Never pass a URL or a ticket. */
export const log = (event: string, fields: Record<string, unknown> = {}): void => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...fields })}\n`);
};
