import type { Context } from "hono";
import { type Marks, markTrack, unmarkTrack } from "../../db/queries/marks.ts";
import type { UserEnv } from "../http/env.ts";
import { notFound, stillSignedIn } from "../http/errors.ts";
import { presentedBy } from "../tracks/secret.ts";

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
