import type { Context } from "hono";
import {
  findTrack,
  type Presented,
  readTrack,
  type TrackReading,
  type TrackRow,
} from "../../db/queries/tracks.ts";
import type { TokenEnv } from "../http/env.ts";
import { forbidden, notFound, unauthorized } from "../http/errors.ts";
import { TaggedText } from "../http/etag.ts";
import { HttpError } from "../http-error.ts";
import { keep, keptTrack } from "./kept.ts";
import { asTrack } from "./represent.ts";
import { presentedBy, wherever } from "./secret.ts";

type Asking = Pick<Context<TokenEnv>, "req"> & { var: Pick<TokenEnv["Variables"], "db" | "viewer"> };

/** For this caller; a private track that is not is one that does not exist. */
export async function visibleTrack(c: Asking, id: number, secretToken?: string): Promise<TrackRow> {
  const { track } = await findTrack(c.var.db, c.var.viewer, id, presentedBy(c.req, secretToken));
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
  const reading = (presented: Presented) => readTrack(c.get("db"), c.get("viewer"), id, presented, known);
  const first = await reading(held?.isEverywhere ? wherever(secretToken) : presentedBy(c.req, secretToken));
  // Restricted since it was kept: now it matters where the reader is.
  const found =
    held?.isEverywhere && isRestricted(first) ? await reading(presentedBy(c.req, secretToken)) : first;
  if ("same" in found && last) return last.text;
  if ("now" in found) return keep(id, held, found.version, found.body).textFor(c.env, found.now, found.state);
  const track = ("track" in found && found.track) || notFound("Track");
  return new TaggedText(JSON.stringify(asTrack(c.env, track)), track.updated_at);
}

/** Whether where a reader is decides about the access. */
function isRestricted(found: TrackReading): boolean {
  const body = "track" in found ? found.track : "body" in found ? found.body : undefined;
  return Boolean(body?.available_country_codes);
}

export function refuseUnplayable(c: Context<TokenEnv>, track: TrackRow): void {
  if (track.sharing === "private" && c.var.viewer.userId === null) {
    unauthorized("Streaming a private track needs a user's access token", true);
  }
  if (track.access === "blocked") forbidden("The track is not streamable for you");
  if (track.state !== "finished")
    throw new HttpError(404, [`The track is not ready to play: its state is ${track.state}`]);
}
