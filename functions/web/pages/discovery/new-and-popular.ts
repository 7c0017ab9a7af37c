import type { Context } from "hono";
import { discoverTracks } from "../../../../db/queries/site-discovery.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { countryOf } from "../../../lib/http/country.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { readAsReader } from "../../../ui/viewer.ts";

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
}

/** Reads the newest and the popular tracks of the site. */
export async function discover(c: Context<AppEnv>, { genre, newest, popular }: Wanted): Promise<Discovered> {
  const wanted = { genre, newest, popular, country: countryOf(c.req) };
  const found = await readAsReader(c, (db, viewer) => discoverTracks(db, viewer, wanted));
  const { env } = c;
  return {
    newest: found.newest.map((row) => representTrack(env, row)),
    popular: found.popular.map((row) => representTrack(env, row)),
    genres: found.genres,
  };
}
