import type { Context } from "hono";
import {
  favoriteOrRepostPlaylist,
  favoriteOrRepostTrack,
  type PlaylistTable,
  removePlaylistFrom,
  removeTrackFrom,
  type TrackTable,
} from "../../../db/queries/favorites.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { type BudgetName, budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { statusBody } from "../../lib/http/status.ts";
import { secretHashOf, withoutCountry } from "../tracks/secret.ts";

/** Favorites of tracks and playlists share one budget. Settings and headers call it `likes`. */
const BUDGET_OF = {
  favorites: "likes",
  playlist_favorites: "likes",
  reposts: "reposts",
  playlist_reposts: "reposts",
} as const satisfies Record<TrackTable | PlaylistTable, BudgetName>;

interface Opened {
  secret_token?: string | undefined;
}

/** Adds the track to the caller's favorites or reposts and replies. */
export async function addTrack(
  c: Context<UserEnv>,
  table: TrackTable,
  id: number,
  { secret_token }: Opened,
  status: 200 | 201 = 200,
): Promise<Response> {
  const opened = withoutCountry(secret_token);
  const budget = budgetOf(c.env, BUDGET_OF[table]);
  const asked = await favoriteOrRepostTrack(c.var.db, c.var.viewer, table, id, opened, budget);
  const { found } = settleBudget(c, BUDGET_OF[table], asked);
  return found ? c.json(statusBody(status), status) : notFound("Track");
}

export async function removeTrack(
  c: Context<UserEnv>,
  table: TrackTable,
  id: number,
  { secret_token }: Opened,
) {
  const opened = withoutCountry(secret_token);
  const found = await removeTrackFrom(c.var.db, c.var.viewer, table, id, opened);
  return found ? c.json(statusBody(200)) : notFound("Track");
}

/** Adds the playlist and replies. */
export async function addPlaylist(
  c: Context<UserEnv>,
  table: PlaylistTable,
  id: number,
  opened: Opened,
  status: 200 | 201 = 200,
): Promise<Response> {
  const budget = budgetOf(c.env, BUDGET_OF[table]);
  const asked = await favoriteOrRepostPlaylist(
    c.var.db,
    c.var.viewer,
    table,
    id,
    secretHashOf(opened.secret_token),
    budget,
  );
  const { found } = settleBudget(c, BUDGET_OF[table], asked);
  return found ? c.json(statusBody(status), status) : notFound("Playlist");
}

export async function removePlaylist(c: Context<UserEnv>, table: PlaylistTable, id: number, opened: Opened) {
  const found = await removePlaylistFrom(
    c.var.db,
    c.var.viewer,
    table,
    id,
    secretHashOf(opened.secret_token),
  );
  return found ? c.json(statusBody(200)) : notFound("Playlist");
}
