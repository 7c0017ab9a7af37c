import * as z from "zod";

export const License = z.enum([
  "no-rights-reserved",
  "all-rights-reserved",
  "cc-by",
  "cc-by-nc",
  "cc-by-nd",
  "cc-by-sa",
  "cc-by-nc-nd",
  "cc-by-nc-sa",
]);

export const TrackType = z.enum([
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

/** What a listener without a paid plan gets. */
export const Paywall = z.enum(["preview", "blocked"]);

export const Sharing = z.enum(["public", "private"]);
export const EmbeddableBy = z.enum(["all", "me", "none"]);
export const State = z.enum(["processing", "failed", "finished"]);
export const Access = z.enum(["playable", "preview", "blocked"]);
