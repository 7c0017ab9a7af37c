import { listSetTracks } from "../../../../db/queries/set-queue.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import { artistLine } from "../../../api/tracks/artists.ts";
import { representTrack } from "../../../api/tracks/representation.ts";
import { presentedBy } from "../../../api/tracks/secret.ts";
import { isPlayable } from "../../../api/tracks/streams.ts";
import type { Env } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { readAsReader } from "../../../ui/viewer.ts";
import { drawnCover } from "../../embed/covers.ts";
import { inFormat } from "../../embed/representation.ts";

/** {web_url}/you/sets/{id}/queue: a whole set for the site's player, without signed URLs. */
export const setQueue = new Routes();

/** An entry of the player's queue. The script has the same type. */
export interface QueuedTrack {
  id: number;
  /** The token of the private link that opens the track. */
  secret?: string | undefined;
  title: string;
  artist: string;
  /** Address of the `t300x300` JPEG, or of a drawing. */
  artwork: string;
  page: string;
  artistPage: string;
  durationMs: number;
}

setQueue.page("/you/sets/:id/queue", async (c) => {
  const id = Number(c.req.param("id"));
  if (!Number.isSafeInteger(id)) return notFound("Playlist");
  const secret = c.req.query("secret_token");
  const facts = presentedBy(c.req, secret);
  const found = await readAsReader(c, (db, viewer) => listSetTracks(db, viewer, id, facts));
  const rows = found ?? notFound("Playlist");
  const tracks = rows.filter(isPlayable).map((row) => queuedTrack(c.env, row, secret));
  return c.json({ tracks }, 200, { "Cache-Control": "private, no-store" });
});

function queuedTrack(env: Env, row: TrackRow, secret: string | undefined): QueuedTrack {
  const track = representTrack(env, row);
  const opened = track.sharing === "private" ? secret : undefined;
  return {
    id: track.id,
    secret: opened,
    title: track.title,
    artist: artistLine(track),
    artwork: track.artwork_url === null ? drawnCover(track) : inFormat(track.artwork_url, "t300x300"),
    page: opened ? `${track.permalink_url}/${opened}` : track.permalink_url,
    artistPage: track.user.permalink_url,
    durationMs: track.duration,
  };
}
