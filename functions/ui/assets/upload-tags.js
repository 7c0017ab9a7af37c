import { decodeLatin } from "./upload-encodings.js";
import { withPlainId3 } from "./upload-id3.js";
import { MAX_PICTURE_BYTES } from "./upload-kinds.js";

/** Reads words, facts and artwork from a file's tags. */

/** Media types of pictures that the API takes. */
const PICTURE = /^image\/(?:jpe?g|png|gif)$/i;

/** Kinds of tags that tell no encoding. */
const UNDECLARED = ["exif", "ID3v1", "AIFF"];

/** Some programs write the joined names beside the single ones. */
const named = (artist, artists) =>
  artists.every((name) => artist?.includes(name)) ? artist : [...new Set(artists)].join(", ");

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
    const { common, native } = await parseBlob(await withPlainId3(file), { duration: false });
    const meant = Object.keys(native).every((type) => UNDECLARED.includes(type)) ? decodeLatin : String;
    const { title, artist, artists = [], genre = [], year, picture = [] } = common;
    const text = (value, max) => (value ? words(meant(value), max) : undefined);
    return {
      fields: {
        ...{ title: text(title, 255), artist: text(named(artist, artists), 255), genre: text(genre[0], 100) },
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
