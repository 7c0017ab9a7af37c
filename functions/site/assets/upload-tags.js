import { MAX_PICTURE_BYTES } from "./upload-kinds.js";

/** Reads words, facts and artwork from a file's tags. */

/** Media types of pictures that the API takes. */
const PICTURE = /^image\/(?:jpe?g|png|gif)$/i;

/** `01_My song.mp3` is called `01 My song`. */
export const titleFrom = (filename) =>
  filename
    .replace(/\.[^.]*$/, "")
    .replaceAll("_", " ")
    .trim() || filename;

/** Returns what the tags say, and nothing for a file without any. */
export async function readTags(file) {
  try {
    // 45 KB that only uploading people need.
    const { parseBlob } = await import("music-metadata");
    const { common } = await parseBlob(file, { duration: false });
    const { title, artist, genre = [], year, picture = [] } = common;
    return {
      fields: {
        ...{ title: words(title, 255), artist: words(artist, 255), genre: words(genre[0], 100) },
        release_year: year >= 1 && year <= 9999 ? String(year) : undefined,
        ...factsIn(common),
      },
      artwork: pictureOf(picture),
    };
  } catch {
    return { fields: {} };
  }
}

/** Returns a line of visible text, as the API takes it: nobody could see in the form what is wrong with it. */
function words(text, max) {
  const line = fitting(asMeant(text).replace(/\p{Cc}+/gu, " "), max);
  return line && /[^\p{Z}\p{C}]/u.test(line) ? line : undefined;
}

/** The form has no line for these, so what the API would refuse is left out. */
const factsIn = ({ isrc = [], label = [], bpm, key }) => ({
  isrc: fitting(isrc[0], 50),
  label_name: fitting(label[0], 255),
  bpm: bpm >= 1 && bpm <= 1_000 ? String(bpm) : undefined,
  key_signature: fitting(key, 50),
});

const WINDOWS = new TextDecoder("windows-1252");

/** Many programs write Windows-1252 and call it ISO 8859-1, where its quotes and dashes are control characters. */
const asMeant = (text) =>
  String(text ?? "").replace(/[\x80-\x9f]/g, (control) =>
    WINDOWS.decode(Uint8Array.of(control.charCodeAt(0))),
  );

function fitting(text, max) {
  const line = asMeant(text).trim();
  return line.length <= max && line.isWellFormed() && !/\p{Cc}/u.test(line) ? line : undefined;
}

function pictureOf(pictures) {
  const { data, format } = pictures.find(({ type }) => /front/i.test(type ?? "")) ?? pictures[0] ?? {};
  if (!data || data.length > MAX_PICTURE_BYTES || !PICTURE.test(format)) return undefined;
  return new File([data], "artwork", { type: format });
}
