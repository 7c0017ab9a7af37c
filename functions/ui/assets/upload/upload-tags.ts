import type { ICommonTagsResult, IPicture } from "music-metadata";
import { artistsOf } from "./upload-artists.ts";
import { decodeLatin } from "./upload-encodings.ts";
import type { Values } from "./upload-fields.ts";
import { withPlainId3 } from "./upload-id3.ts";
import { MAX_PICTURE_BYTES } from "./upload-kinds.ts";

/** Reads words, facts and artwork from a file's tags. */

/** Media types of pictures that the API takes. */
const PICTURE = /^image\/(?:jpe?g|png|gif)$/i;

/** Kinds of tags that tell no encoding. */
const UNDECLARED = ["exif", "ID3v1", "AIFF"];

/** Some programs write the joined names beside the single ones. */
const named = (artist: string | undefined, artists: string[]) =>
  artists.every((name) => artist?.includes(name)) ? artist : [...new Set(artists)].join(", ");

/** `01_My song.mp3` is called `01 My song`. */
export const titleFrom = (filename: string): string =>
  filename
    .replace(/\.[^.]*$/, "")
    .replaceAll("_", " ")
    .trim() || filename;

interface Tags {
  fields: Partial<Values>;
  artwork?: File;
}

/** Returns what the tags say, and nothing for a file without any. */
export async function readTags(file: Blob): Promise<Tags> {
  try {
    // 45 KB that only uploading people need.
    const { parseBlob } = await import("music-metadata");
    const { common, native } = await parseBlob(await withPlainId3(file), { duration: false });
    const meant = Object.keys(native).every((type) => UNDECLARED.includes(type)) ? decodeLatin : String;
    const { title, artist, artists = [], genre = [], year, picture = [] } = common;
    const text = (value: string | undefined, max: number) => (value ? words(meant(value), max) : undefined);
    return {
      fields: {
        title: text(title, 255),
        artist: text(named(artist, artists), 255),
        genre: text(genre[0], 100),
        release_year: within(year, 9999),
        ...artistsOf(common, (name) => text(name, 255)),
        ...factsIn(common),
        ...placeIn(common, text),
      },
      artwork: pictureOf(picture),
    };
  } catch {
    return { fields: {} };
  }
}

/** Returns a line of visible text, as the API takes it: nobody could see in the form what is wrong with it. */
function words(text: string, max: number): string | undefined {
  const line = fitting(asMeant(text).replace(/\p{Cc}+/gu, " "), max);
  return line && /[^\p{Z}\p{C}]/u.test(line) ? line : undefined;
}

/** The form has no line for these, so what the API would refuse is left out. */
const factsIn = ({ isrc = [], label = [], bpm, key }: ICommonTagsResult) => ({
  isrc: isrc.find((code) => /^[a-z]{2}-?[a-z0-9]{3}-?\d{2}-?\d{5}$/i.test(code)),
  label_name: fitting(label[0], 255),
  bpm: within(bpm, 1_000),
  key_signature: fitting(key, 50),
});

type Reading = (value: string | undefined, max: number) => string | undefined;

/** The file's place on a record, for the form of a release. */
const placeIn = ({ album, albumartist, track, disk, date, year }: ICommonTagsResult, text: Reading) => ({
  album: text(album, 255),
  album_artist: text(albumartist, 255),
  track_number: within(track.no ?? undefined, 999),
  disc_number: within(disk.no ?? undefined, 99),
  release_date: /^\d{4}(?:-\d\d){0,2}$/.exec(date ?? "")?.[0] ?? within(year, 9999),
});

const within = (value = 0, max: number) => (value >= 1 && value <= max ? String(value) : undefined);

const WINDOWS = new TextDecoder("windows-1252");

/** Many programs write Windows-1252 and call it ISO 8859-1, where its quotes and dashes are control characters. */
const asMeant = (text: string | undefined) =>
  String(text ?? "").replace(/[\x80-\x9f]/g, (control) =>
    WINDOWS.decode(Uint8Array.of(control.charCodeAt(0))),
  );

function fitting(text: string | undefined, max: number): string | undefined {
  const line = asMeant(text).trim();
  return line.length <= max && line.isWellFormed() && !/\p{Cc}/u.test(line) ? line : undefined;
}

function pictureOf(pictures: IPicture[]): File | undefined {
  const picture = pictures.find(({ type }) => /front/i.test(type ?? "")) ?? pictures[0];
  if (!picture || picture.data.length > MAX_PICTURE_BYTES || !PICTURE.test(picture.format)) return undefined;
  return new File([picture.data.slice()], "artwork", { type: picture.format });
}
