import { PlaylistType } from "../../../api/playlists/vocabulary.ts";
import type { FieldGroup, OwnField } from "./fields.tsx";
import {
  DESCRIPTION,
  EMBEDDABLE,
  GENRE,
  LICENSE,
  PUBLISH_AT,
  RELEASE,
  SHARING,
  SHOP,
  TAGS,
  withNone,
} from "./track-fields.ts";

const TITLE: OwnField = { name: "title", label: "Title", required: true, maxlength: 255 };
const TYPE: OwnField = {
  name: "playlist_type",
  label: "Type",
  options: withNone(PlaylistType.options).map(([value, label]) => [
    value,
    value === "ep single" ? "EP" : label,
  ]),
  isShort: true,
};

/** Fields of a new set; the rest is edited later. */
export const NEW_SET_FIELDS: FieldGroup[] = [{ title: "", fields: [TITLE, SHARING, TYPE] }];

export const SET_FIELDS: FieldGroup[] = [
  { title: "The set", fields: [TITLE, TYPE, GENRE, DESCRIPTION, TAGS] },
  { title: "Privacy and rights", fields: [SHARING, PUBLISH_AT, LICENSE, EMBEDDABLE] },
  {
    title: "Release",
    folded: true,
    fields: [
      ...RELEASE,
      {
        name: "ean",
        label: "EAN or UPC",
        maxlength: 50,
        hint: "The barcode's number.",
        inputmode: "numeric",
        isShort: true,
      },
      ...SHOP,
    ],
  },
];
