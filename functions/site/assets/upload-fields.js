/** Fields of the track that the form has, besides its title. */
const OPTIONAL = ["artist", "genre", "release_year", "tag_list", "description"];

/** What the API takes, from what the form holds. */
export const fieldsOf = ({ title, ...values }) => ({
  title: title.trim(),
  ...Object.fromEntries(OPTIONAL.map((name) => [name, values[name]?.trim() || null])),
});

/** What the form holds, from a track that is there. */
export const valuesOf = ({ title, sharing, metadata_artist, ...track }) => ({
  ...{ title, sharing },
  ...Object.fromEntries(
    OPTIONAL.map((name) => [name, String((name === "artist" ? metadata_artist : track[name]) ?? "")]),
  ),
});

/** The API's messages by the form's fields, and as one text if any belongs to none. */
export function problemsOf({ causes = [], message }) {
  const fields = {};
  let rest;
  for (const cause of causes) {
    const [, field, text] = /^track\[(\w+)\]:? (.*)$/s.exec(cause) ?? [];
    if (field) fields[field === "metadata_artist" ? "artist" : field] = text;
    else rest = message;
  }
  return { fields, rest };
}
