import * as z from "zod";
import { documentedAs, flag, integerText, plainIdText } from "../../lib/text/fields.ts";

/** CSS pixels, the most that an embedding page could need. */
const MAX_PIXELS = 10_000;
const pixels = integerText(1, MAX_PIXELS);

/** Accepts a leading `#`, as most people write colours. */
const Color = z
  .string()
  .regex(/^#?[0-9a-fA-F]{6}$/, "must be a hex triplet such as ff5500")
  .transform((color) => color.replace("#", "").toLowerCase());

const Url = z.string().trim().max(4_000);

/** Options that the player itself takes too. */
const looks = {
  color: Color.optional().describe("Hex triplet. Colour of the player's buttons and waveform."),
  auto_play: flag.default(false).describe("If the browser allows it."),
  show_comments: flag.default(true).describe("Shows comments in the waveform."),
};

export const EmbedQuery = z.object({
  url: Url.describe("Address of a track, a playlist or a user, as for `/resolve`."),
  maxwidth: z
    .union([z.literal("100%"), pixels], `must be 100% or from 1 to ${MAX_PIXELS}`)
    .optional()
    .describe("Limits the width. Default: 100%."),
  maxheight: pixels
    .optional()
    .describe(
      "Limits the height. Default: 166 for a track, 450 for a playlist or a user; 81 and 305 with the older widget.",
    ),
  ...looks,
  iframe: flag.default(true).describe("`false` returns the older widget's markup and heights."),
  // Handled before the route is known, as in every request.
  format: z
    .string()
    .optional()
    .meta(documentedAs({ enum: ["json", "xml", "js", "jsonp"] }))
    .describe("Default: `json`. `js` and `jsonp` need a `callback`."),
  callback: z
    .string()
    .max(128)
    .optional()
    .describe("Name of the JavaScript function that JSONP calls, such as `player.show`."),
});
export type EmbedQuery = z.output<typeof EmbedQuery>;

/** Options of other players of this kind. Those for parts that this player lacks are ignored. */
const shows = {
  show_artwork: flag.catch(true),
  show_user: flag.catch(true),
  show_playcount: flag.catch(true),
  buying: flag.catch(true),
  sharing: flag.catch(true),
  download: flag.catch(true),
};

/** Ignores malformed options: nobody would see a refusal in an embedded player. */
export const PlayerQuery = z.object({
  url: Url.catch(""),
  secret_token: z.string().max(100).optional().catch(undefined),
  color: Color.optional().catch(undefined),
  auto_play: flag.catch(false),
  show_comments: flag.catch(true),
  ...shows,
  visual: flag.catch(false).describe("The artwork fills the player."),
  single_active: flag.catch(true).describe("Pauses the page's other players, and is paused by them."),
  start_track: integerText(0, 499).optional().catch(undefined).describe("Default: the first that plays."),
  track_id: plainIdText
    .optional()
    .catch(undefined)
    .describe("Takes precedence over `start_track`, because lists change."),
});
export type PlayerQuery = z.output<typeof PlayerQuery>;
