/** Headers that get a reply which ends: a stream of events goes on for minutes, but is refused to whoever wants JSON. */
export const endingReply = (path: string): Record<string, string> =>
  /^\/me\/events(?![\w/])/.test(path) ? { Accept: "application/json" } : {};
