import { sizeInWords } from "../../../lib/text/size.ts";

/** Knows which files the service takes, before a byte of them goes. */

const BY_ENDING: Record<string, string> = {
  aif: "audio/aiff",
  aiff: "audio/aiff",
  aifc: "audio/aiff",
  wav: "audio/wav",
  wave: "audio/wav",
  flac: "audio/flac",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  mp2: "audio/mpeg",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  m4b: "audio/mp4",
  mp4: "audio/mp4",
  aac: "audio/aac",
  amr: "audio/amr",
  awb: "audio/amr-wb",
  wma: "audio/x-ms-wma",
  asf: "audio/x-ms-wma",
  // Voice memos of phones. The content is AAC or AMR.
  "3gp": "audio/3gpp",
  "3gpp": "audio/3gpp",
  "3ga": "audio/3gpp",
  "3g2": "audio/3gpp2",
  mov: "video/quicktime",
  bwf: "audio/wav",
  rf64: "audio/wav",
  w64: "audio/wav",
};

/** The media type to announce; undefined for what is no audio. Endings count more than the system's guess. */
export function audioTypeOf({ name, type }: { name: string; type: string }): string | undefined {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return BY_ENDING[ending] ?? (/^audio\/[\w.+-]+$/i.test(type) ? type : undefined);
}

/** Says why a file is refused; undefined if it is not. */
export function refusalOf(file: File, maxBytes: number): string | undefined {
  if (!audioTypeOf(file))
    return `${file.name} is no audio file. Choose AIFF, WAVE, FLAC, ALAC, OGG, MP2, MP3, AAC, AMR or WMA.`;
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > maxBytes)
    return `${file.name} is too large: a file may have ${sizeInWords(maxBytes)} at most.`;
  return undefined;
}

/** Bytes of a picture that the API takes. */
export const MAX_PICTURE_BYTES = 10 * 2 ** 20;

/** `3.2 MB`. */
export function bytesText(bytes: number): string {
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** `2 minutes left`. */
export function timeText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** Bytes a second over the last seconds. */
export class Speed {
  static #WINDOW_MS = 5000;
  #seen: { at: number; bytes: number }[] = [];

  note(bytes: number): void {
    const now = performance.now();
    this.#seen.push({ at: now, bytes });
    const old = this.#seen.findIndex(({ at }) => at >= now - Speed.#WINDOW_MS);
    this.#seen.splice(0, Math.min(old, this.#seen.length - 2));
  }

  get perSecond(): number {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)];
    if (!first || !last) return 0;
    const ms = performance.now() - first.at;
    return ms > 500 ? Math.max(0, ((last.bytes - first.bytes) / ms) * 1000) : 0;
  }
}

/** The whole is reached at the end alone. */
export const percentText = (share: number): string => `${Math.floor(share * 100)}%`;
