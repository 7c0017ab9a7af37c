import { artistsIn, artistValues } from "../../../lib/text/artist-lines.ts";
import { htmlOf, writtenOf } from "../../../lib/text/description-text.ts";
import { entered } from "../time-zone.ts";
import type { Track } from "./upload-replies.ts";

/** The form's values, and facts of the file's tags, by the names of their fields. */
export interface Values {
  title: string;
  sharing: string;
  [field: string]: string | undefined;
}

/** Fields of the track that the form has, besides its title and its description. */
const OPTIONAL = ["artist", "genre", "release_year", "tag_list"];

type Fields = Record<string, string | null | ReturnType<typeof artistsIn>>;

/** A time that was entered in the browser's zone, in RFC 3339. */
function instantOf(written: string): string | null {
  const at = new Date(written);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The API's fields, from the form's values. */
export const fieldsOf = ({ title, description = "", publish_at = "", ...values }: Values): Fields => ({
  title: title.trim(),
  publish_at: instantOf(publish_at),
  description: htmlOf(description) || null,
  ...Object.fromEntries(OPTIONAL.map((name) => [name, values[name]?.trim() || null])),
  ...(artistsIn(values) && { artists: artistsIn(values) }),
});

const FACTS = { label_name: "label", isrc: "ISRC", bpm: "BPM", key_signature: "key" };

/** The file's facts, each with its word for people. */
const factsIn = (values: Values) =>
  Object.entries(FACTS).flatMap(([name, word]) => {
    const value = values[name];
    return value ? [{ name, word, value }] : [];
  });

/** Fields that the file's tags may give and the form has no line for. Only the new track gets them: its owner may change them. */
export const factsOf = (values: Values): Fields =>
  Object.fromEntries(factsIn(values).map(({ name, value }) => [name, value]));

/** Those fields as a sentence, empty without any. */
export function factsText(values: Values): string {
  const facts = factsIn(values).map(({ word, value }) => `${word} ${value}`);
  return facts.length
    ? `Also from the file: ${facts.join(", ")}. You can edit them on the track's page.`
    : "";
}

/** The form's values, from a track of the API. */
export const valuesOf = (track: Track): Values => ({
  title: track.title,
  sharing: track.sharing,
  description: writtenOf(track.description ?? ""),
  artist: track.metadata_artist,
  genre: track.genre ?? "",
  release_year: String(track.release_year ?? ""),
  tag_list: track.tag_list,
  publish_at: track.publish_at ? entered(new Date(track.publish_at)) : "",
  ...artistValues(track.artists),
});

/** Fields that have a line for what is wrong with them. */
const LINES = ["title", "description", "artwork_data", "publish_at", "artists", ...OPTIONAL];

/** The API's messages by those fields, and as one text if any belongs to none. */
export function problemsOf({ causes, message }: { causes: string[]; message: string }): {
  fields: Record<string, string>;
  rest: string | undefined;
} {
  const fields: Record<string, string> = {};
  let rest: string | undefined;
  for (const cause of causes) {
    const [, name = "", text = ""] = /^track\[(\w+)\](?:\[\w+\])*:? (.*)$/s.exec(cause) ?? [];
    const field = name === "metadata_artist" ? "artist" : name;
    if (LINES.includes(field)) fields[field] = text;
    else rest = message;
  }
  return { fields, rest };
}
