import { about, oneOf } from "../../lib/text/fields.ts";

export const License = oneOf([
  "no-rights-reserved",
  "all-rights-reserved",
  "cc-by",
  "cc-by-nc",
  "cc-by-nd",
  "cc-by-sa",
  "cc-by-nc-nd",
  "cc-by-nc-sa",
]).meta(about("Rights that the owner gives.", "cc-by"));

export const TrackType = oneOf([
  "original",
  "remix",
  "live",
  "recording",
  "spoken",
  "podcast",
  "demo",
  "in progress",
  "stem",
  "loop",
  "sound effect",
  "sample",
  "other",
]).meta(about("Kind of recording; null if none was given.", "original"));

/** Access of a listener without a paid plan. */
export const Paywall = oneOf(["preview", "blocked"]).meta({ example: null });

export const Sharing = oneOf(["public", "private"]).meta(
  about(
    "`private` hides it from all but its owner, the people it is shared with, and whoever has its secret token.",
    "public",
  ),
);
export const EmbeddableBy = oneOf(["all", "me", "none"]).meta(
  about("`all`: any page may embed it. `me` and `none`: no other page may.", "all"),
);
export const State = oneOf(["processing", "failed", "finished"]).meta(
  about(
    "`processing` until it is encoded. A `failed` track can be encoded again, unless the file was the cause.",
    "finished",
  ),
);
export const Access = oneOf(["playable", "preview", "blocked"]).meta(
  about("The part that you may hear: all of it, 30 seconds, or nothing.", "playable"),
);
