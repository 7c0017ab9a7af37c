import * as z from "zod";
import type { AddressRow } from "../../../db/queries/addresses.ts";
import type { Env } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import { webUrl } from "../../lib/http/links.ts";
import { about } from "../../lib/text/fields.ts";
import { isReservedName } from "../../lib/text/look-alike.ts";
import { looksLikeId } from "../../lib/text/permalink.ts";
import { isReserved } from "../../lib/text/reserved.ts";
import { siteName } from "../../ui/name.ts";
import { RESERVED } from "./account-input.ts";

/** Permalinks that owners choose. `permalink` in other bodies is read-only: clients send back what they read. */

/** Letters, digits, and `-` or `_` between them. Stored in lower case. */
const WORDS = /^[A-Za-z0-9]+(?:[-_]+[A-Za-z0-9]+)*$/;

const permalinkOf = (max: number) =>
  z
    .string()
    .min(1, "must not be empty")
    .max(max, `may have ${max} characters at most`)
    .regex(WORDS, "may hold letters from a to z and digits, with - or _ between them")
    .toLowerCase();

const described = (of: string) =>
  about(
    `Letters from a to z and digits, with \`-\` or \`_\` between them, in lower case. ${of}`,
    "night-train",
  );

/** Words with pages of their own below a profile. */
const ofTrack = permalinkOf(100).refine((permalink) => !isReserved(permalink), RESERVED);

export const TrackPermalinkBody = z
  .object({
    permalink: ofTrack.meta(
      described("It must differ from those of your other tracks, former ones included."),
    ),
  })
  .meta({ id: "NewTrackPermalink" });

export const PlaylistPermalinkBody = z
  .object({
    permalink: permalinkOf(100).meta(
      described("It must differ from those of your other playlists, former ones included."),
    ),
  })
  .meta({ id: "NewPlaylistPermalink" });

const ofUser = permalinkOf(50)
  .min(2, "needs two characters at least")
  .refine((permalink) => !isReserved(permalink), RESERVED)
  .refine((permalink) => !looksLikeId(permalink), "must not be a number like an id");

export const UserPermalinkBody = z
  .object({
    permalink: ofUser.meta(described("It must differ from those of other users, former ones included.")),
  })
  .meta({ id: "NewUserPermalink" });

export const Permalink = z
  .strictObject({
    kind: z.literal("permalink").describe("Always `permalink`."),
    permalink: z.string().meta(about("The present one.", "night-train")),
    permalink_url: z.url().meta(about("The present page.", "https://soundpost.example/ana/night-train")),
    former_permalinks: z
      .array(z.string())
      .meta(
        about("Former ones, the latest first. Their pages redirect to the present one.", ["night-trian"]),
      ),
  })
  .meta({ id: "Permalink" });

/** `path` is the path of its page, without a slash at the beginning. */
export const representPermalink = (
  env: Env,
  { permalink, former }: AddressRow,
  path: string,
): z.infer<typeof Permalink> => ({
  kind: "permalink",
  permalink,
  permalink_url: webUrl(env, `/${path}`),
  former_permalinks: former,
});

export const PERMALINK_TAKEN = "is taken, or was and leads there still; choose another";

/** Names of staff and of the service are the operators' to give. */
export function refuseReservedName(env: Env, permalink: string): void {
  if (isReservedName(permalink, siteName(env))) invalid(`permalink: ${RESERVED}`);
}
