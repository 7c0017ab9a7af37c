import { Hono } from "hono";
import { findPlaylist } from "../../db/queries/playlists.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { replyTagged, tagged, taggedReply } from "../http/etag.ts";
import { requireUser } from "../http/viewer.ts";
import { PlaylistParts, shownOf } from "../playlists/filters.ts";
import { PlaylistId } from "../playlists/input.ts";
import { playlistTexts } from "../playlists/represent.ts";
import { Playlist } from "../playlists/representation.ts";
import { TrackId } from "../tracks/input.ts";
import { HeldTracks } from "../tracks/listed.ts";
import { asTrack } from "../tracks/represent.ts";
import { Track } from "../tracks/representation.ts";
import { presentedBy } from "../tracks/secret.ts";
import { visibleTrack } from "../tracks/visible.ts";

/** Of what is the caller's own; anybody else's is not there. */
export const owned = new Hono<AppEnv>();

owned.get(
  "/tracks/:id",
  operation("Get one of your tracks", { 200: Track, 404: ErrorBody }),
  tagged,
  requireUser,
  param(TrackId),
  async (c) => {
    const track = await visibleTrack(c, c.req.valid("param").id);
    return track.owned ? taggedReply(c, asTrack(c.env, track), track.updated_at) : notFound("Track");
  },
);

owned.get(
  "/playlists/:id",
  operation("Get one of your playlists", { 200: Playlist, 404: ErrorBody }),
  tagged,
  requireUser,
  param(PlaylistId),
  query(PlaylistParts),
  async (c) => {
    const { id } = c.req.valid("param");
    const parts = c.req.valid("query");
    const held = new HeldTracks(`playlists/${id}${parts.access ? ` ${parts.access}` : ""}`, undefined);
    const presented = presentedBy(c.req, undefined);
    const page = await findPlaylist(
      c.var.db,
      c.var.viewer,
      id,
      presented,
      shownOf(parts),
      parts.access,
      held.known,
    );
    if (page.playlists[0]?.user_id !== c.var.viewer.userId) return notFound("Playlist");
    const [text = notFound("Playlist")] = playlistTexts(c.env, page, held);
    return replyTagged(c, text);
  },
);
