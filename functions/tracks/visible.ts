import type { Context } from "hono";
import { findTrack, readTrack, type TrackRow } from "../../db/queries/tracks.ts";
import type { TokenEnv } from "../http/env.ts";
import { forbidden, HttpError, notFound, stillSignedIn, unauthorized } from "../http/errors.ts";
import { TaggedText } from "../http/etag.ts";
import { keep, keptTrack } from "./kept.ts";
import { asTrack } from "./represent.ts";
import { presentedBy } from "./secret.ts";

type Asking = Pick<Context<TokenEnv>, "req"> & { var: Pick<TokenEnv["Variables"], "db" | "viewer"> };

/** For this caller; a private track that is not is one that does not exist. */
export async function visibleTrack(c: Asking, id: number, secretToken?: string): Promise<TrackRow> {
  const { track } = stillSignedIn(
    await findTrack(c.var.db, c.var.viewer, id, presentedBy(c.req, secretToken)),
  );
  return track ?? notFound("Track");
}

/** As `visibleTrack`, represented: of others' public tracks this isolate keeps the body. */
export async function visibleTrackText(
  c: Context<TokenEnv>,
  id: number,
  secretToken: string | undefined,
): Promise<TaggedText> {
  const held = keptTrack(id);
  // Others may have it shown anew meanwhile.
  const last = held?.last;
  const known = last?.state ?? held?.version;
  const found = stillSignedIn(
    await readTrack(c.get("db"), c.get("viewer"), id, presentedBy(c.req, secretToken), known),
  );
  if ("same" in found && last) return last.text;
  if ("now" in found) return keep(id, held, found.version, found.body).textFor(c.env, found.now, found.state);
  const track = ("track" in found && found.track) || notFound("Track");
  return new TaggedText(JSON.stringify(asTrack(c.env, track)), track.updated_at);
}

export function refuseUnplayable(c: Context<TokenEnv>, track: TrackRow): void {
  if (track.sharing === "private" && c.var.viewer.userId === null) {
    unauthorized("Streaming a private track needs a user's access token", true);
  }
  if (track.access === "blocked") forbidden("The track is not streamable for you");
  if (track.state !== "finished")
    throw new HttpError(404, [`The track is not ready to play: its state is ${track.state}`]);
}
