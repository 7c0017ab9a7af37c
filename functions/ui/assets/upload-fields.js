import { htmlOf, writtenOf } from "../../lib/text/description-text.ts";

/** Fields of the track that the form has, besides its title and its description. */
const OPTIONAL = ["artist", "genre", "release_year", "tag_list"];

/** The API's fields, from the form's values. */
export const fieldsOf = ({ title, description = "", ...values }) => ({
  title: title.trim(),
  description: htmlOf(description) || null,
  ...Object.fromEntries(OPTIONAL.map((name) => [name, values[name]?.trim() || null])),
});

const FACTS = { label_name: "label", isrc: "ISRC", bpm: "BPM", key_signature: "key" };

/** Fields that the file's tags may give and the form has no line for. Only the new track gets them: its owner may change them. */
export const factsOf = (values) =>
  Object.fromEntries(Object.keys(FACTS).flatMap((name) => (values[name] ? [[name, values[name]]] : [])));

/** Those fields as a sentence, empty without any. */
export function factsText(values) {
  const facts = Object.entries(factsOf(values)).map(([name, value]) => `${FACTS[name]} ${value}`);
  return facts.length
    ? `Also from the file: ${facts.join(", ")}. You can edit them on the track's page.`
    : "";
}

/** The form's values, from a track of the API. */
export const valuesOf = ({ title, sharing, metadata_artist, description, ...track }) => ({
  ...{ title, sharing, description: writtenOf(description ?? "") },
  ...Object.fromEntries(
    OPTIONAL.map((name) => [name, String((name === "artist" ? metadata_artist : track[name]) ?? "")]),
  ),
});

/** Fields that have a line for what is wrong with them. */
const LINES = ["title", "description", "artwork_data", ...OPTIONAL];

/** The API's messages by those fields, and as one text if any belongs to none. */
export function problemsOf({ causes = [], message }) {
  const fields = {};
  let rest;
  for (const cause of causes) {
    const [, name, text] = /^track\[(\w+)\]:? (.*)$/s.exec(cause) ?? [];
    const field = name === "metadata_artist" ? "artist" : name;
    if (LINES.includes(field)) fields[field] = text;
    else rest = message;
  }
  return { fields, rest };
}
