import type { FieldGroup, OwnField } from "./fields.tsx";
import { GENRE, LICENSE, RELEASE, TAGS } from "./track-fields.ts";

const KEEP: [string, string] = ["", "Each keeps its own"];

/** A choice that may stay open. */
const choice = (name: string, label: string, yes: string, no: string): OwnField => ({
  name,
  label,
  options: [KEEP, ["true", yes], ["false", no]],
  isShort: true,
});

/** The release without the label's account, which is written as an address. */
const release = RELEASE.filter(({ kind }) => kind === undefined);

/** Fields that several tracks may get at once. */
export const SELECTED_FIELDS: FieldGroup[] = [
  {
    title: "The tracks",
    fields: [
      GENRE,
      { ...LICENSE, options: [KEEP, ...(LICENSE.options ?? [])] },
      { ...TAGS, name: "add_tags", label: "Tags to add" },
      { name: "remove_tags", label: "Tags to remove", maxlength: 2_000 },
    ],
  },
  {
    title: "What listeners may do",
    fields: [
      choice("downloadable", "Download the file", "Yes", "No"),
      choice("commentable", "Comment", "Yes", "No"),
    ],
  },
  { title: "Release", folded: true, fields: release },
];

/** Boxes that empty fields, and the fields of the API that each empties. A field left empty keeps its value. */
const EMPTIED: Record<string, { label: string; fields: string[] }> = {
  empty_genre: { label: "Genre", fields: ["genre"] },
  empty_tags: { label: "All tags", fields: ["tag_list"] },
  empty_date: {
    label: "Date of the release",
    fields: ["release_day", "release_month", "release_year"],
  },
  empty_label: { label: "Record label", fields: ["label_name"] },
  empty_release: { label: "Catalogue number", fields: ["release"] },
};

export const EMPTYING: FieldGroup = {
  title: "Empty fields",
  folded: true,
  fields: Object.entries(EMPTIED).map(([name, { label }]) => ({ name, label, kind: "flag" })),
};

/** The fields that are emptied. A box whose field was filled in as well is a problem. */
export function emptiedIn(sent: Record<string, string>) {
  const ticked = Object.entries(EMPTIED).filter(([name]) => sent[name] === "on");
  const isFilled = ({ fields }: { fields: string[] }) =>
    fields.some((field) => sent[field === "tag_list" ? "add_tags" : field]);
  return {
    track: Object.fromEntries(ticked.flatMap(([, { fields }]) => fields.map((field) => [field, null]))),
    problems: Object.fromEntries(
      ticked
        .filter(([, one]) => isFilled(one))
        .map(([name]) => [name, "is filled in above: tick this or fill it in"]),
    ),
  };
}
