import type { Context } from "hono";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import { findTrack } from "../../../db/queries/tracks.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { TokenEnv } from "../../lib/http/env.ts";
import { forbidden, notFound, unauthorized } from "../../lib/http/errors.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { presentedBy } from "./secret.ts";
import { isPlayable } from "./streams.ts";

type Asking = Pick<Context<TokenEnv>, "req"> & { var: Pick<TokenEnv["Variables"], "db" | "viewer"> };

/** Returns the track, or the one that took its place. Throws 404 if it is missing or invisible. */
export async function findVisibleTrack(c: Asking, id: number, secretToken?: string): Promise<TrackRow> {
  const track = await findTrack(c.var.db, c.var.viewer, id, presentedBy(c.req, secretToken));
  return track ?? notFound("Track");
}

/** An app that has the secret reads what a private track is about, and hears nothing of it. */
export function refuseAppOnPrivate(c: Asking, isPrivate: boolean): void {
  if (isPrivate && c.var.viewer.userId === null)
    unauthorized("Streaming a private track needs a user's access token", true, "user-token-needed");
}

export function refuseUnplayable(c: Context<TokenEnv>, track: TrackRow): void {
  refuseAppOnPrivate(c, track.sharing === "private");
  if (track.access === "blocked") forbidden("You may not stream this track", "blocked-track");
  if (!isPlayable(track)) refuseUnready(track.state);
}

export function refuseUnready(state: TrackRow["state"]): never {
  throw new HttpError(404, [`The track is not ready to play: its state is ${state}`], {}, "track-not-ready");
}

/** The request's own URL, with the id of the track that took the place of the one in the path. */
export function urlUnder(c: Context, id: number): string {
  const { pathname, searchParams } = new URL(c.req.url);
  // The host of older clients replies in XML by itself, this one in JSON.
  if (c.get("requestedFormat")?.byHost) searchParams.set("format", "xml");
  const path = pathname.replace(/(\/tracks\/)[^/.]+/, `$1${id}`);
  return `${apiUrl(c.env, path)}${searchParams.size ? `?${searchParams}` : ""}`;
}
