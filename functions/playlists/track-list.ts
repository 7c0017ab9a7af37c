import { Hono } from "hono";
import { listPlaylistTracks, type PlaylistTracksPage } from "../../db/queries/playlists.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound, stillSignedIn } from "../http/errors.ts";
import { filteredList, nextPage, readPosition } from "../http/paging.ts";
import { requireToken } from "../http/viewer.ts";
import { trackFilter } from "../tracks/filters.ts";
import { pageText, TrackListQuery, Tracks } from "../tracks/list.ts";
import { HeldTracks } from "../tracks/listed.ts";
import { presentedBy } from "../tracks/secret.ts";
import { OpensPlaylist } from "./filters.ts";
import { PlaylistId } from "./input.ts";

export const playlistTracks = new Hono<AppEnv>();

playlistTracks.get(
  "/:id/tracks",
  operation(
    "List a playlist's tracks, in its order",
    { 200: Tracks, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody },
    { description: "Takes the filters of `/tracks`; a search leaves the order as it is, `sort` is by time." },
  ),
  requireToken,
  param(PlaylistId),
  query(TrackListQuery.extend(OpensPlaylist.shape)),
  async (c) => {
    const { id } = c.req.valid("param");
    const { secret_token, ...given } = c.req.valid("query");
    const { limit, offset, cursor, sort, linked_partitioning } = given;
    const filter = trackFilter(given, {});
    const list = filteredList(`playlists/${id}/tracks`, { ...filter, sort });
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
    const position = readPosition(scope, cursor);
    const page: PlaylistTracksPage = {
      limit,
      offset: position ? 0 : offset,
      ascending: sort && sort === "asc",
      ...(position && JSON.parse(position)),
    };
    const held = new HeldTracks(`${list} ${limit} ${page.offset} ${cursor}`, filter.ids);
    const asked = { filter, page, known: held.versions };
    const presented = presentedBy(c.req, secret_token);
    const found = stillSignedIn(await listPlaylistTracks(c.var.db, c.var.viewer, id, presented, asked));
    if (!found.found) return notFound("Playlist");
    const next = found.next && nextPage(scope, JSON.stringify(found.next), c.req.url, c.env);
    const text = pageText(linked_partitioning, held.render(c.env, found.tracks), next);
    return c.body(text, 200, { "Content-Type": "application/json" });
  },
);
