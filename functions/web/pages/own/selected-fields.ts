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
