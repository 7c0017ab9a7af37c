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
import { notFound, stillSignedIn } from "../http/errors.ts";
import { hashSecretToken, presentedBy } from "../tracks/secret.ts";

export async function mark(
  c: Context<UserEnv>,
  marks: Marks,
  id: number,
  secretToken?: string,
): Promise<void> {
  const opened = presentedBy(c.req, secretToken);
  const { found } = stillSignedIn(await markTrack(c.var.db, c.var.viewer, marks, id, opened));
  if (!found) notFound("Track");
}

export async function unmark(
  c: Context<UserEnv>,
  marks: Marks,
  id: number,
  secretToken?: string,
): Promise<void> {
  const opened = presentedBy(c.req, secretToken);
  const { found } = stillSignedIn(await unmarkTrack(c.var.db, c.var.viewer, marks, id, opened));
  if (!found) notFound("Track");
}

/** Sets a mark on a playlist, or takes it back. */
const onPlaylist =
  (change: typeof markPlaylist) =>
  async (c: Context<UserEnv>, marks: PlaylistMarks, id: number, secretToken?: string): Promise<void> => {
    const secretHash = secretToken ? hashSecretToken(secretToken) : undefined;
    const { found } = stillSignedIn(await change(c.var.db, c.var.viewer, marks, id, secretHash));
    if (!found) notFound("Playlist");
  };

export const setOnPlaylist = onPlaylist(markPlaylist);
export const takeFromPlaylist = onPlaylist(unmarkPlaylist);
