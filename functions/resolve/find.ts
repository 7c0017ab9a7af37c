import type { Context } from "hono";
import type { Shown } from "../../db/queries/playlists.ts";
import { type Named, resolve } from "../../db/queries/resolve.ts";
import { representApp } from "../apps/representation.ts";
import type { TokenEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { TaggedText } from "../http/etag.ts";
import { renderPlaylists } from "../playlists/render.ts";
import { CachedTracks } from "../tracks/list-cache.ts";
import { representTrack } from "../tracks/representation.ts";
import { presentedBy } from "../tracks/secret.ts";
import { representUser } from "../users/representation.ts";

/** A resource exactly as its own address returns it. */
interface Found {
  /** Its own path below {base_url}. */
  path: string;
  text: TaggedText;
}

interface Wanted {
  /** `undefined` for an address on another host. */
  meant: Partial<Named> | undefined;
  secretToken: string | undefined;
  /** How much of a playlist's tracks to include. */
  shown: Shown;
}

export async function findResource(
  c: Context<TokenEnv>,
  { meant = {}, secretToken, shown }: Wanted,
): Promise<Found> {
  const cached = new CachedTracks(listOf(meant));
  const presented = presentedBy(c.req, secretToken);
  const { app, user, track, playlists, tracks } = await resolve(
    c.var.db,
    c.var.viewer,
    meant,
    presented,
    shown,
    cached.held,
  );
  if (track) return found(`/tracks/${track.id}`, representTrack(c.env, track), track.updated_at);
  if (user) return found(`/users/${user.id}`, representUser(user, c.env), user.updated_at);
  if (app) return found(`/apps/${app.id}`, representApp(app, c.env));
  const [playlist] = playlists ?? [];
  if (!playlist || !playlists) return notFound("Resource");
  const [text = notFound("Resource")] = renderPlaylists(c.env, { playlists, tracks: tracks ?? null }, cached);
  return { path: `/playlists/${playlist.id}`, text };
}

const found = (path: string, representation: object, updatedAt?: string): Found => ({
  path,
  text: new TaggedText(JSON.stringify(representation), updatedAt),
});

/** Key of a playlist's tracks in the cache. */
const listOf = ({ id, owner, permalink }: Partial<Named>): string =>
  id === undefined ? `${owner}/sets/${permalink}`.toLowerCase() : `playlists/${id}`;
