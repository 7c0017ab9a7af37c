import type { Context } from "hono";
import { discoverTracks } from "../../../db/queries/site-discovery.ts";
import { countryOf } from "../../http/country.ts";
import type { AppEnv } from "../../http/env.ts";
import { databaseFor, siteViewer } from "../../site/viewer.ts";
import { CachedTracks } from "../../tracks/list-cache.ts";
import type { Track } from "../../tracks/representation.ts";

interface Wanted {
  /** Default: all. */
  genre?: string | undefined;
  newest: number;
  popular: number;
}

export interface Discovered {
  newest: Track[];
  popular: Track[];
  genres: string[];
  isSignedIn: boolean;
}

/** Reads the newest and the popular tracks of the site with one statement. */
export async function discover(c: Context<AppEnv>, { genre, newest, popular }: Wanted): Promise<Discovered> {
  const cached = new CachedTracks(`discover ${newest} ${popular} ${genre ?? ""}`);
  const found = await discoverTracks(databaseFor(c), siteViewer(c), {
    ...{ genre, newest, popular },
    country: countryOf(c.req),
    held: cached.held,
  });
  const { byId } = cached.render(c.env, found.tracks);
  const listed = (ids: number[]): Track[] => ids.flatMap((id) => parsed(byId.get(id)));
  return {
    newest: listed(found.newest),
    popular: listed(found.popular),
    genres: found.genres,
    isSignedIn: found.is_signed_in,
  };
}

/** The cache holds tracks as the API's JSON. */
const parsed = (json: string | undefined): Track[] => (json === undefined ? [] : [JSON.parse(json) as Track]);
