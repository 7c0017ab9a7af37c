import { htmlOf, writtenOf } from "../../text/description-text.ts";

/** Fields of the track that the form has, besides its title and its description. */
const OPTIONAL = ["artist", "genre", "release_year", "tag_list"];

/** The API's fields, from the form's values. */
export const fieldsOf = ({ title, description = "", ...values }) => ({
  title: title.trim(),
  description: htmlOf(description) || null,
  ...Object.fromEntries(OPTIONAL.map((name) => [name, values[name]?.trim() || null])),
});

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
