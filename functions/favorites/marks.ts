import type { Context } from "hono";
import {
  type Marks,
  markPlaylist,
  markTrack,
  type PlaylistMarks,
  unmarkPlaylist,
  unmarkTrack,
} from "../../db/queries/marks.ts";
import { type BudgetName, budgetOf, settleBudget } from "../http/budgets.ts";
import type { UserEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { hashSecretToken, presentedBy } from "../tracks/secret.ts";

/** Favorites of tracks and playlists share one budget. Settings and headers call it `likes`. */
const BUDGET_OF = {
  favorites: "likes",
  playlist_favorites: "likes",
  reposts: "reposts",
  playlist_reposts: "reposts",
} as const satisfies Record<Marks | PlaylistMarks, BudgetName>;

export async function mark(
  c: Context<UserEnv>,
  marks: Marks,
  id: number,
  secretToken?: string,
): Promise<void> {
  const opened = presentedBy(c.req, secretToken);
  const budget = budgetOf(c.env, BUDGET_OF[marks]);
  const asked = await markTrack(c.var.db, c.var.viewer, marks, id, opened, budget);
  const { found } = settleBudget(c, BUDGET_OF[marks], asked);
  if (!found) notFound("Track");
}

export async function unmark(
  c: Context<UserEnv>,
  marks: Marks,
  id: number,
  secretToken?: string,
): Promise<void> {
  const opened = presentedBy(c.req, secretToken);
  const { found } = await unmarkTrack(c.var.db, c.var.viewer, marks, id, opened);
  if (!found) notFound("Track");
}

const hashOf = (secretToken: string | undefined) => (secretToken ? hashSecretToken(secretToken) : undefined);

export async function setOnPlaylist(
  c: Context<UserEnv>,
  marks: PlaylistMarks,
  id: number,
  secretToken?: string,
): Promise<void> {
  const budget = budgetOf(c.env, BUDGET_OF[marks]);
  const asked = await markPlaylist(c.var.db, c.var.viewer, marks, id, hashOf(secretToken), budget);
  const { found } = settleBudget(c, BUDGET_OF[marks], asked);
  if (!found) notFound("Playlist");
}

export async function takeFromPlaylist(
  c: Context<UserEnv>,
  marks: PlaylistMarks,
  id: number,
  secretToken?: string,
): Promise<void> {
  const { found } = await unmarkPlaylist(c.var.db, c.var.viewer, marks, id, hashOf(secretToken));
  if (!found) notFound("Playlist");
}
