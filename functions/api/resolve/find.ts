import type { Context } from "hono";
import type { Shown } from "../../../db/queries/playlists.ts";
import { type Named, resolve } from "../../../db/queries/resolve.ts";
import type { TokenEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { TaggedText } from "../../lib/http/etag.ts";
import { representApp } from "../apps/representation.ts";
import { representShown } from "../playlists/representation.ts";
import { representTrack } from "../tracks/representation.ts";
import { presentedBy } from "../tracks/secret.ts";
import { representUser } from "../users/representation.ts";

/** A resource, exactly as its own path returns it. */
interface Found {
  /** Its own path below {base_url}. */
  path: string;
  text: TaggedText;
}

interface Wanted {
  /** `undefined` for a URL of another host. */
  meant: Partial<Named> | undefined;
  secretToken: string | undefined;
  /** How many details of a playlist's tracks to include. */
  shown: Shown;
}

export async function findResource(
  c: Context<TokenEnv>,
  { meant = {}, secretToken, shown }: Wanted,
): Promise<Found> {
  const presented = presentedBy(c.req, secretToken);
  const { app, user, track, playlist } = await resolve(c.var.db, c.var.viewer, meant, presented, shown);
  if (track) return found(`/tracks/${track.id}`, representTrack(c.env, track), track.updated_at);
  if (user) return found(`/users/${user.id}`, representUser(user, c.env), user.updated_at);
  if (app) return found(`/apps/${app.id}`, representApp(app, c.env));
  if (!playlist) return notFound("Resource");
  const { id, updated_at } = playlist.playlist;
  return found(`/playlists/${id}`, representShown(c.env, playlist), updated_at);
}

const found = (path: string, representation: object, updatedAt?: string): Found => ({
  path,
  text: new TaggedText(JSON.stringify(representation), updatedAt),
});
