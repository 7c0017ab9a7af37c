import * as z from "zod";
import type { ArtistRow } from "../../../db/queries/track-rows.ts";
import { ARTIST_ROLES } from "../../../db/schema/artists.ts";
import { CREDIT_STATES } from "../../../db/schema/credits.ts";
import { invalid } from "../../lib/http/errors.ts";
import type { Links } from "../../lib/http/links.ts";
import { about, label, oneOf, plainIdText, text } from "../../lib/text/fields.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

/** Artists of a track. */
const MAX_ARTISTS = 30;

export const ArtistRole = oneOf(ARTIST_ROLES).meta(
  about("`main` and `featured` stand in the line of the artist; the others are credits.", "featured"),
);

export type ArtistRole = z.infer<typeof ArtistRole>;

export const CreditState = oneOf(CREDIT_STATES).meta(
  about("The user's answer. The track links an `accepted` user.", "accepted"),
);

const NO_USER = "must be the id of a user";

const empty = z.literal("").transform(() => null);

const ArtistInput = z
  .object({
    name: label(255).nullish().meta(about("As on the record. Default: the user's name.", "Ben Ruiz")),
    role: z
      .union([empty, z.null(), ArtistRole], `must be one of ${ARTIST_ROLES.join(", ")}`)
      .optional()
      .meta(about("Default: `main`.", "featured")),
    user_id: z
      .union([empty, z.null(), z.int(NO_USER).positive(NO_USER), plainIdText], NO_USER)
      .optional()
      .meta(about("Id of a user, who is asked whether the credit is right.", 338914811904778)),
    permalink: text(100)
      .transform((written) => written.replace(/^@/, "") || null)
      .nullish()
      .meta(about("The user's permalink, in place of the id.", "ben")),
  })
  .transform(({ name, role, user_id, permalink }, context) => {
    const user = user_id ? { user_id } : permalink ? { permalink } : {};
    if (!name && !Object.keys(user).length)
      context.addIssue({ code: "custom", path: ["name"], message: "must not be empty" });
    return { ...(name && { name }), role: role ?? ("main" as const), ...user };
  });

/** A form sends `track[artists][][name]` and its like for each artist, and `track[artists][]` without a value for none. */
export const Artists = z
  .array(ArtistInput, "must be a list")
  .max(MAX_ARTISTS, `may hold ${MAX_ARTISTS} artists at most`)
  .transform((artists) => (artists.length ? artists : null))
  .nullish()
  .meta(
    about(
      "Credited artists in their order, 30 at most; null or an empty list for none. A user is linked once they accept. In forms `track[artists][][name]`, `[role]`, `[user_id]` or `[permalink]`, artist by artist.",
      [{ name: "Ben Ruiz", role: "featured", user_id: 338914811904778 }],
    ),
  );

export const TrackArtist = z
  .strictObject({
    name: z.string().meta(about("As on the record.", "Ben Ruiz")),
    role: ArtistRole,
    user_id: z.int().nullable().meta(about("The user's id; null without one.", 338914811904777)),
    user: MiniUser.nullable().describe(
      "The user who is the artist. Null to others until the user has accepted.",
    ),
    state: CreditState.optional().describe("The user's answer. Shown to the owner only."),
  })
  .meta({ id: "TrackArtist" });
export type TrackArtist = z.infer<typeof TrackArtist>;

export const representArtist = ({ name, role, user, state }: ArtistRow, links: Links): TrackArtist => ({
  name,
  role,
  user_id: user?.id ?? null,
  user: user && representMiniUser(user, links),
  ...(state && { state }),
});

interface Credited {
  metadata_artist: string;
  artists: Pick<TrackArtist, "name" | "role">[];
}

/** The artist of a track as one line: the main artists, else `metadata_artist`, and those who are featured. */
export function artistLine({ metadata_artist, artists }: Credited): string {
  const namesOf = (wanted: ArtistRole) =>
    artists.flatMap(({ name, role }) => (role === wanted ? [name] : [])).join(", ");
  const [main, featured] = [namesOf("main") || metadata_artist, namesOf("featured")];
  return featured ? `${main} with ${featured}` : main;
}

export const noSuchArtist = (place: number): never =>
  invalid(`track[artists]: name a user who does not exist, as artist ${place + 1}`);
