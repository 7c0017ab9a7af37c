import type { Context } from "hono";
import { discoverAll, discoverTracks } from "../../../../db/queries/site-discovery.ts";
import { type Playlist, representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { representUser, type User } from "../../../api/users/representation.ts";
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
  tags: string[];
}

/** The same, and sets and people whom the reader does not follow. */
interface Everything extends Discovered {
  sets: Playlist[];
  people: User[];
}

type Found = Awaited<ReturnType<typeof discoverTracks>>;

const represent = ({ env }: Context<AppEnv>, { newest, popular, genres, tags }: Found): Discovered => ({
  newest: newest.map((row) => representTrack(env, row)),
  popular: popular.map((row) => representTrack(env, row)),
  genres,
  tags,
});

/** Reads the newest and the popular tracks of the site. */
export async function discover(c: Context<AppEnv>, wanted: Wanted): Promise<Discovered> {
  const query = { ...wanted, country: countryOf(c.req) };
  return represent(c, await readAsReader(c, (db, viewer) => discoverTracks(db, viewer, query)));
}

export async function discoverEverything(
  c: Context<AppEnv>,
  wanted: Wanted & { sets: number; people: number },
): Promise<Everything> {
  const query = { ...wanted, country: countryOf(c.req) };
  const { sets, people, ...found } = await readAsReader(c, (db, viewer) => discoverAll(db, viewer, query));
  return {
    ...represent(c, found),
    sets: sets.map((row) => representPlaylist(c.env, row)),
    people: people.map((row) => representUser(row, c.env)),
  };
}
