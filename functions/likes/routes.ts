import { type Context, Hono } from "hono";
import type { Marks, PlaylistMarks } from "../../db/queries/marks.ts";
import { operation, param, query } from "../http/contract.ts";
import type { AppEnv, UserEnv } from "../http/env.ts";
import { ErrorBody } from "../http/errors.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireUser } from "../http/viewer.ts";
import { OpensPlaylist } from "../playlists/filters.ts";
import { PlaylistId } from "../playlists/input.ts";
import { SecretToken, TrackId } from "../tracks/input.ts";
import { mark, setOnPlaylist, takeFromPlaylist, unmark } from "./marks.ts";

interface Marking {
  /** Where the marks of tracks and of playlists are kept. */
  tracks: Marks;
  playlists: PlaylistMarks;
  /** How setting one is called. */
  set: string;
  name: string;
  /** The status of having set one. */
  made: 200 | 201;
}

type Change = (c: Context<UserEnv>, id: number, secretToken?: string) => Promise<void>;

/** `POST` sets a mark on a track or a playlist, `DELETE` takes it back. */
function marking({ tracks, playlists, set, name, made }: Marking): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  const harmless = { description: "Repeating it is harmless, and counts against no budget." };

  function onEach(what: string, Id: typeof TrackId, Opens: typeof SecretToken, give: Change, take: Change) {
    const path = `/${what}s/:id` as const;
    routes.post(
      path,
      operation(`${set} a ${what}`, { [made]: StatusBody, 404: ErrorBody, 429: ErrorBody }, harmless),
      requireUser,
      param(Id),
      query(Opens),
      async (c) => {
        await give(c, c.req.valid("param").id, c.req.valid("query").secret_token);
        return c.json(statusBody(made), made);
      },
    );
    routes.delete(
      path,
      operation(`Take back a ${name} of a ${what}`, { 200: StatusBody, 404: ErrorBody }, harmless),
      requireUser,
      param(Id),
      query(Opens),
      async (c) => {
        await take(c, c.req.valid("param").id, c.req.valid("query").secret_token);
        return c.json(statusBody(200));
      },
    );
  }

  onEach(
    "track",
    TrackId,
    SecretToken,
    (c, id, secret) => mark(c, tracks, id, secret),
    (c, id, secret) => unmark(c, tracks, id, secret),
  );
  onEach(
    "playlist",
    PlaylistId,
    OpensPlaylist,
    (c, id, secret) => setOnPlaylist(c, playlists, id, secret),
    (c, id, secret) => takeFromPlaylist(c, playlists, id, secret),
  );
  return routes;
}

/** A like and a favorite are one thing under two names. */
export const likes = marking({
  tracks: "favorites",
  playlists: "playlist_likes",
  set: "Like",
  name: "like",
  made: 200,
});

export const reposts = marking({
  tracks: "reposts",
  playlists: "playlist_reposts",
  set: "Repost",
  name: "repost",
  made: 201,
});
