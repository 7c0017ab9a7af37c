const TYPES = new Map(
  Object.entries({
    vtt: "text/vtt",
    srt: "application/x-subrip",
    json: "application/json",
    html: "text/html",
    htm: "text/html",
    txt: "text/plain",
  }),
);

/** Media type of a transcript, by its URL's extension. Most others are HTML pages. */
export function transcriptType(url: string): string {
  const [, ending = ""] = /\.(\w+)$/.exec(URL.parse(url)?.pathname ?? "") ?? [];
  return TYPES.get(ending.toLowerCase()) ?? "text/html";
}
