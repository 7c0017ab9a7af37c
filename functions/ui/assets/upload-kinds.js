import { sizeInWords } from "../../lib/text/size.ts";

/** Knows which files the service takes, before a byte of them goes. */

const BY_ENDING = {
  ...{ aif: "audio/aiff", aiff: "audio/aiff", aifc: "audio/aiff", wav: "audio/wav", wave: "audio/wav" },
  ...{ flac: "audio/flac", ogg: "audio/ogg", oga: "audio/ogg", opus: "audio/ogg", mp2: "audio/mpeg" },
  ...{ mp3: "audio/mpeg", m4a: "audio/mp4", m4b: "audio/mp4", mp4: "audio/mp4", aac: "audio/aac" },
  ...{ amr: "audio/amr", awb: "audio/amr-wb", wma: "audio/x-ms-wma", asf: "audio/x-ms-wma" },
  // Voice memos of phones. The content is AAC or AMR.
  ...{
    "3gp": "audio/3gpp",
    "3gpp": "audio/3gpp",
    "3ga": "audio/3gpp",
    "3g2": "audio/3gpp2",
    mov: "video/quicktime",
  },
  ...{ bwf: "audio/wav", rf64: "audio/wav", w64: "audio/wav" },
};

/** The media type to announce; undefined for what is no audio. Endings count more than the system's guess. */
export function audioTypeOf({ name, type }) {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return BY_ENDING[ending] ?? (/^audio\/[\w.+-]+$/i.test(type) ? type : undefined);
}

/** Says why a file is refused; undefined if it is not. */
export function refusalOf(file, maxBytes) {
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
export function bytesText(bytes) {
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${value.toFixed(value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** `2 minutes left`. */
export function timeText(seconds) {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** Bytes a second over the last seconds. */
export class Speed {
  static #WINDOW_MS = 5000;
  #seen = [];

  note(bytes, now = performance.now()) {
    this.#seen.push([now, bytes]);
    while (this.#seen.length > 2 && this.#seen[0][0] < now - Speed.#WINDOW_MS) this.#seen.shift();
  }

  get perSecond() {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)];
    const ms = last && performance.now() - first[0];
    return ms > 500 ? Math.max(0, ((last[1] - first[1]) / ms) * 1000) : 0;
  }
}

/** The whole is reached at the end alone. */
export const percentText = (share) => `${Math.floor(share * 100)}%`;
