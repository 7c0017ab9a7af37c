import type { Context } from "hono";
import { createPlaylist, updatePlaylist, type Written } from "../../../db/queries/own-playlists.ts";
import { totalsOf } from "../../../db/queries/playlist-totals.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { Env, UserEnv } from "../../lib/http/env.ts";
import { sessionEnded } from "../../lib/http/errors.ts";
import { expectedVersions } from "../../lib/http/etag.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { romanized } from "../../lib/text/permalink.ts";
import { storeArtworkField } from "../images/store.ts";
import { columnsOf } from "../tracks/columns.ts";
import { newSecret } from "../tracks/secret.ts";
import { unwrap } from "./errors.ts";
import type { PlaylistFields } from "./input.ts";
import { type Playlist, representShown } from "./representation.ts";

/** Throws 401 if the owner's session ended meanwhile. */
export const representWritten = (env: Env, { playlist, playlist_tracks: tracks }: Written): Playlist =>
  representShown(env, { playlist: { ...(playlist ?? sessionEnded()), ...totalsOf(tracks) }, tracks });

export async function makePlaylist(
  c: Context<UserEnv>,
  fields: PlaylistFields & { title: string },
): Promise<Playlist> {
  const made = await createPlaylist(
    c.var.db,
    c.var.viewer,
    {
      fields: await storedColumns(c, fields),
      permalink: await permalinkOf(fields.title),
      ...newSecret(c.env).stored,
      trackIds: fields.tracks ?? [],
    },
    countryOf(c.req),
    budgetOf(c.env, "playlist-edits"),
  );
  const settled = settleBudget(c, "playlist-edits", made);
  return representWritten(c.env, unwrap(settled, fields));
}

/** `replaces`: these tracks replace all present ones. */
export async function changePlaylist(
  c: Context<UserEnv>,
  id: number,
  fields: PlaylistFields,
  { replaces }: { replaces: boolean },
): Promise<Playlist> {
  const changed = await updatePlaylist(
    c.var.db,
    c.var.viewer,
    id,
    {
      columns: {
        ...(await storedColumns(c, fields)),
        ...(fields.title && { title_permalink: await permalinkOf(fields.title) }),
      },
      trackIds: fields.tracks ?? [],
      replaces,
      expected: expectedVersions(c),
    },
    countryOf(c.req),
    budgetOf(c.env, "playlist-edits"),
  );
  const settled = settleBudget(c, "playlist-edits", changed);
  return representWritten(c.env, unwrap(settled, fields));
}

/** Maps fields to columns and stores the picture. Omitted fields stay out. */
async function storedColumns(
  c: Context<UserEnv>,
  { artwork_data, tracks: _, set_type, ...fields }: PlaylistFields,
): Promise<Record<string, unknown>> {
  const artwork = await storeArtworkField(c, "playlist[artwork_data]", artwork_data);
  const type = set_type && { playlist_type: set_type === "album" ? set_type : null };
  return columnsOf({ ...type, ...fields, ...artwork });
}

/** No reserved words are needed below `/{user}/sets`. */
export const permalinkOf = async (title: string): Promise<string> => (await romanized(title)) || "playlist";
