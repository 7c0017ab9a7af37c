import type { Context } from "hono";
import {
  type AccessFacts,
  findTrack,
  readTrack,
  type TrackReading,
  type TrackRow,
} from "../../db/queries/tracks.ts";
import type { TokenEnv } from "../http/env.ts";
import { forbidden, notFound, unauthorized } from "../http/errors.ts";
import { TaggedText } from "../http/etag.ts";
import { HttpError } from "../http-error.ts";
import { representTrack } from "./representation.ts";
import { presentedBy, withoutCountry } from "./secret.ts";
import { isPlayable } from "./streams.ts";
import { CachedTrack, cachedTrack, cacheTrack } from "./track-cache.ts";

type Asking = Pick<Context<TokenEnv>, "req"> & { var: Pick<TokenEnv["Variables"], "db" | "viewer"> };

/** Returns the track, or throws 404, for an invisible private track too. */
export async function findVisibleTrack(c: Asking, id: number, secretToken?: string): Promise<TrackRow> {
  const { track } = await findTrack(c.var.db, c.var.viewer, id, presentedBy(c.req, secretToken));
  return track ?? notFound("Track");
}

/** Returns the track's JSON, from the cache for public tracks of other users. */
export async function findTrackText(
  c: Context<TokenEnv>,
  id: number,
  secretToken: string | undefined,
): Promise<TaggedText> {
  const cached = cachedTrack(id);
  const reading = (presented: AccessFacts) =>
    readTrack(c.get("db"), c.get("viewer"), id, presented, cached?.version);
  const first = await reading(
    cached?.isEverywhere ? withoutCountry(secretToken) : presentedBy(c.req, secretToken),
  );
  // The track was restricted since, so the viewer's country matters now.
  const found =
    cached?.isEverywhere && isRestricted(first) ? await reading(presentedBy(c.req, secretToken)) : first;
  if ("now" in found) {
    const { version, body, now } = found;
    const track = body ? cacheTrack(id, new CachedTrack(c.env, version, body, now)) : cached;
    if (!track) throw new Error("The database left out a body that was not cached");
    return track.taggedTextFor(now);
  }
  const track = ("track" in found && found.track) || notFound("Track");
  return new TaggedText(JSON.stringify(representTrack(c.env, track)), track.updated_at);
}

/** Whether the viewer's country decides about access. */
function isRestricted(found: TrackReading): boolean {
  const body = "track" in found ? found.track : "body" in found ? found.body : undefined;
  return Boolean(body?.available_country_codes);
}

export function refuseUnplayable(c: Context<TokenEnv>, track: TrackRow): void {
  if (track.sharing === "private" && c.var.viewer.userId === null) {
    unauthorized("Streaming a private track needs a user's access token", true, "user-token-needed");
  }
  if (track.access === "blocked") forbidden("You may not stream this track", "blocked-track");
  if (!isPlayable(track)) refuseUnready(track.state);
}

export function refuseUnready(state: TrackRow["state"]): never {
  throw new HttpError(404, [`The track is not ready to play: its state is ${state}`], {}, "track-not-ready");
}
