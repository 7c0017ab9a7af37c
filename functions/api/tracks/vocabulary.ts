import { oneOf } from "../../lib/text/fields.ts";

export const License = oneOf([
  "no-rights-reserved",
  "all-rights-reserved",
  "cc-by",
  "cc-by-nc",
  "cc-by-nd",
  "cc-by-sa",
  "cc-by-nc-nd",
  "cc-by-nc-sa",
]);

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
]);

/** Access of a listener without a paid plan. */
export const Paywall = oneOf(["preview", "blocked"]);

export const Sharing = oneOf(["public", "private"]);
export const EmbeddableBy = oneOf(["all", "me", "none"]);
export const State = oneOf(["processing", "failed", "finished"]);
export const Access = oneOf(["playable", "preview", "blocked"]);
