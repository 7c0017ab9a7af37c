import type { Context } from "hono";
import {
  type Marks,
  markPlaylist,
  markTrack,
  type PlaylistMarks,
  unmarkPlaylist,
  unmarkTrack,
} from "../../db/queries/marks.ts";
import type { UserEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { type BudgetName, budgetOf, settleBudget } from "../http/limits/budgets.ts";
import { statusBody } from "../http/status.ts";
import { secretHashOf, withoutCountry } from "../tracks/secret.ts";

/** Favorites of tracks and playlists share one budget. Settings and headers call it `likes`. */
const BUDGET_OF = {
  favorites: "likes",
  playlist_favorites: "likes",
  reposts: "reposts",
  playlist_reposts: "reposts",
} as const satisfies Record<Marks | PlaylistMarks, BudgetName>;

interface Opened {
  secret_token?: string | undefined;
}

/** Marks the track and replies. */
export async function setTrackMark(
  c: Context<UserEnv>,
  marks: Marks,
  id: number,
  { secret_token }: Opened,
  status: 200 | 201 = 200,
): Promise<Response> {
  const opened = withoutCountry(secret_token);
  const budget = budgetOf(c.env, BUDGET_OF[marks]);
  const asked = await markTrack(c.var.db, c.var.viewer, marks, id, opened, budget);
  const { found } = settleBudget(c, BUDGET_OF[marks], asked);
  return found ? c.json(statusBody(status), status) : notFound("Track");
}

export async function removeTrackMark(
  c: Context<UserEnv>,
  marks: Marks,
  id: number,
  { secret_token }: Opened,
) {
  const opened = withoutCountry(secret_token);
  const { found } = await unmarkTrack(c.var.db, c.var.viewer, marks, id, opened);
  return found ? c.json(statusBody(200)) : notFound("Track");
}

/** Marks the playlist and replies. */
export async function setPlaylistMark(
  c: Context<UserEnv>,
  marks: PlaylistMarks,
  id: number,
  opened: Opened,
  status: 200 | 201 = 200,
): Promise<Response> {
  const budget = budgetOf(c.env, BUDGET_OF[marks]);
  const asked = await markPlaylist(
    c.var.db,
    c.var.viewer,
    marks,
    id,
    secretHashOf(opened.secret_token),
    budget,
  );
  const { found } = settleBudget(c, BUDGET_OF[marks], asked);
  return found ? c.json(statusBody(status), status) : notFound("Playlist");
}

export async function removePlaylistMark(
  c: Context<UserEnv>,
  marks: PlaylistMarks,
  id: number,
  opened: Opened,
) {
  const { found } = await unmarkPlaylist(
    c.var.db,
    c.var.viewer,
    marks,
    id,
    secretHashOf(opened.secret_token),
  );
  return found ? c.json(statusBody(200)) : notFound("Playlist");
}
