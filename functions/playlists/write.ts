import type { Context } from "hono";
import { createPlaylist, updatePlaylist } from "../../db/queries/own-playlists.ts";
import type { PlaylistPage, PlaylistRow } from "../../db/queries/playlists.ts";
import { countryOf } from "../http/country.ts";
import type { UserEnv } from "../http/env.ts";
import { sessionEnded } from "../http/errors.ts";
import { expectedVersions } from "../http/etag.ts";
import { budgetOf, settleBudget } from "../http/limits/budgets.ts";
import { storeImageField } from "../images/store.ts";
import { seal } from "../security/sealing.ts";
import { romanized } from "../text/permalink.ts";
import { columnsOf } from "../tracks/columns.ts";
import { CachedTracks } from "../tracks/list-cache.ts";
import { hashSecretToken, newSecretToken } from "../tracks/secret.ts";
import { unwrap } from "./errors.ts";
import type { PlaylistFields } from "./input.ts";
import { renderPlaylists } from "./render.ts";

/** The row, and its JSON including tracks. */
type Changed = [playlist: PlaylistRow, json: string];

/** Throws 401 if the owner's session ended meanwhile. */
function renderChange(c: Context<UserEnv>, page: PlaylistPage, cached: CachedTracks): Changed {
  const [playlist = sessionEnded()] = page.playlists;
  const [text = sessionEnded()] = renderPlaylists(c.env, page, cached);
  return [playlist, text.json];
}

export async function makePlaylist(
  c: Context<UserEnv>,
  fields: PlaylistFields & { title: string },
): Promise<Changed> {
  const secret = newSecretToken();
  const trackIds = fields.tracks ?? [];
  // A result that is kept under a key holds all tracks: another isolate may have to show it again.
  const cached = new CachedTracks("playlists/new", c.get("idempotent") ? [] : trackIds);
  const made = await createPlaylist(
    c.var.db,
    c.var.viewer,
    {
      fields: await storedColumns(c, fields),
      permalink: await permalinkOf(fields.title),
      secretHash: hashSecretToken(secret),
      secretSealed: seal(c.env, secret),
      trackIds,
    },
    { country: countryOf(c.req), held: cached.held },
    budgetOf(c.env, "playlist-edits"),
  );
  const settled = settleBudget(c, "playlist-edits", made);
  return renderChange(c, unwrap(settled, fields), cached);
}

/** `replaces`: the given tracks replace all present ones. */
export async function changePlaylist(
  c: Context<UserEnv>,
  id: number,
  fields: PlaylistFields,
  { replaces }: { replaces: boolean },
): Promise<string> {
  const cached = new CachedTracks(`playlists/${id}`);
  const changed = await updatePlaylist(
    c.var.db,
    c.var.viewer,
    id,
    {
      columns: await storedColumns(c, fields),
      trackIds: fields.tracks ?? [],
      replaces,
      expected: expectedVersions(c),
    },
    { country: countryOf(c.req), held: cached.held },
    budgetOf(c.env, "playlist-edits"),
  );
  const settled = settleBudget(c, "playlist-edits", changed);
  const [, json] = renderChange(c, unwrap(settled, fields), cached);
  return json;
}

/** Maps fields to columns and stores the picture. Omitted fields stay out. */
async function storedColumns(
  c: Context<UserEnv>,
  { artwork_data, tracks: _, set_type, ...fields }: PlaylistFields,
): Promise<Record<string, unknown>> {
  const artwork_version =
    artwork_data && (await storeImageField(c, "artwork", "playlist[artwork_data]", artwork_data.bytes));
  const type = set_type && { playlist_type: set_type === "album" ? set_type : null };
  return columnsOf({ ...type, ...fields, artwork_version });
}

/** No reserved words are needed below `/{user}/sets`. */
const permalinkOf = async (title: string): Promise<string> => (await romanized(title)) || "playlist";
