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
        ...{ title, artist, genre: genre[0], release_year: year ? String(year) : undefined },
        ...factsIn(common),
      },
      artwork: pictureOf(picture),
    };
  } catch {
    return { fields: {} };
  }
}

/** The form has no line for these, so what the API would refuse is left out. */
const factsIn = ({ isrc = [], label = [], bpm, key }) => ({
  isrc: fitting(isrc[0], 50),
  label_name: fitting(label[0], 255),
  bpm: bpm >= 1 && bpm <= 1_000 ? String(bpm) : undefined,
  key_signature: fitting(key, 50),
});

function fitting(text, max) {
  const line = String(text ?? "").trim();
  return line.length <= max && line.isWellFormed() && !/\p{Cc}/u.test(line) ? line : undefined;
}

function pictureOf(pictures) {
  const { data, format } = pictures.find(({ type }) => /front/i.test(type ?? "")) ?? pictures[0] ?? {};
  if (!data || data.length > MAX_PICTURE_BYTES || !PICTURE.test(format)) return undefined;
  return new File([data], "artwork", { type: format });
}
