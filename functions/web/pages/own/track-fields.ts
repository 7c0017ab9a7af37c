import { License, TrackType } from "../../../api/tracks/vocabulary.ts";
import type { FieldGroup, OwnField } from "./fields.tsx";

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Options for a vocabulary, beginning with one for no value. */
export const withNone = (words: readonly string[]): [string, string][] => [
  ["", "None"],
  ...words.map((word): [string, string] => [word, capitalized(word)]),
];

const licenseName = (code: string): string => {
  if (code === "all-rights-reserved") return "All rights reserved";
  if (code === "no-rights-reserved") return "No rights reserved (public domain)";
  return `Creative Commons ${code.slice("cc-".length).toUpperCase()}`;
};

export const DESCRIPTION: OwnField = {
  name: "description",
  label: "Description",
  kind: "html",
  hint: "Text, or simple HTML for links, lists and bold words.",
};
export const GENRE: OwnField = { name: "genre", label: "Genre", maxlength: 100, isShort: true };
export const TAGS: OwnField = {
  name: "tag_list",
  label: "Tags",
  maxlength: 2_000,
  hint: 'Separated by spaces. Put quotes around a tag of several words: "deep house".',
};
export const SHARING: OwnField = {
  name: "sharing",
  label: "Who can see it",
  options: [
    ["public", "Everybody"],
    ["private", "Only people with its private link"],
  ],
};
export const PUBLISH_AT: OwnField = {
  name: "publish_at",
  label: "Publish at",
  kind: "time",
  hint: "Private until then. If empty, “Who can see it” counts at once.",
};
export const EMBEDDABLE: OwnField = {
  name: "embeddable_by",
  label: "Who may embed it in other pages",
  options: [
    ["all", "Everybody"],
    ["me", "Only you"],
    ["none", "Nobody"],
  ],
};
export const LICENSE: OwnField = {
  name: "license",
  label: "Licence",
  isShort: true,
  options: License.options.map((code) => [code, licenseName(code)]),
};

/** Release fields that tracks and sets share. */
export const RELEASE: OwnField[] = [
  { name: "release_day", label: "Day of the release", inputmode: "numeric", isShort: true },
  {
    name: "release_month",
    label: "Month of the release",
    hint: "A number from 1 to 12.",
    inputmode: "numeric",
    isShort: true,
  },
  { name: "release_year", label: "Year of the release", inputmode: "numeric", isShort: true },
  { name: "label_name", label: "Record label", maxlength: 255, isShort: true },
  {
    name: "label_id",
    label: "Record label's account",
    kind: "account",
    hint: "The address of its profile here, or its username.",
  },
  { name: "release", label: "Catalogue number", maxlength: 100, isShort: true },
];

export const SHOP: OwnField[] = [
  { name: "purchase_url", label: "Link to a shop", hint: "Begins with https://" },
  { name: "purchase_title", label: "Text of the shop's link", maxlength: 255 },
];

export const TRACK_FIELDS: FieldGroup[] = [
  {
    title: "The track",
    fields: [
      { name: "title", label: "Title", required: true, maxlength: 255 },
      {
        name: "metadata_artist",
        label: "Artist",
        maxlength: 255,
        hint: "If empty, your username.",
        isShort: true,
      },
      GENRE,
      DESCRIPTION,
      TAGS,
    ],
  },
  {
    title: "Credits",
    folded: true,
    fields: [{ name: "artists", label: "Artists", kind: "artists" }],
  },
  {
    title: "Privacy and rights",
    fields: [
      SHARING,
      PUBLISH_AT,
      { name: "downloadable", label: "Listeners may download the file", kind: "flag" },
      { name: "commentable", label: "Listeners may comment", kind: "flag" },
      LICENSE,
    ],
  },
  {
    title: "Release",
    folded: true,
    fields: [
      ...RELEASE,
      { name: "isrc", label: "ISRC", maxlength: 50, isShort: true },
      ...SHOP,
      { name: "video_url", label: "Link to a video" },
    ],
  },
  {
    title: "About the music",
    folded: true,
    fields: [
      { name: "track_type", label: "Type", options: withNone(TrackType.options), isShort: true },
      { name: "bpm", label: "Beats per minute", inputmode: "decimal", isShort: true },
      { name: "key_signature", label: "Key", maxlength: 50, isShort: true },
    ],
  },
  {
    title: "Access in detail",
    folded: true,
    fields: [
      {
        name: "streamable",
        label: "Listeners may play the track",
        kind: "flag",
        hint: "Otherwise only you hear it.",
      },
      { name: "reveal_comments", label: "Everybody sees all comments", kind: "flag" },
      { name: "reveal_stats", label: "Everybody sees the counts of plays and likes", kind: "flag" },
      EMBEDDABLE,
      {
        name: "paywall",
        label: "Listeners without a paid plan",
        options: [
          ["", "Hear the whole track"],
          ["preview", "Hear the first 30 seconds"],
          ["blocked", "Do not hear it"],
        ],
      },
      {
        name: "available_country_codes",
        label: "Countries where it plays",
        hint: "Two-letter codes, such as DE, FR. If empty, everywhere.",
      },
    ],
  },
];
