import type { Context } from "hono";
import type { ListPosition } from "../../../../db/queries/choose-matches.ts";
import { searchPeople, searchSite } from "../../../../db/queries/site-search.ts";
import { type Playlist, representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { representUser } from "../../../api/users/representation.ts";
import { countryOf } from "../../../lib/http/country.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { readPage } from "../../../lib/http/paging.ts";
import { parseSearch, SearchText } from "../../../lib/text/search.ts";
import { ApiRefusal } from "../../../ui/own-api.ts";
import { readAsReader } from "../../../ui/viewer.ts";
import type { Person } from "../rows/person-card.tsx";
import type { PageOf } from "./lists.ts";

/** The best of all kinds. */
export interface AllFound {
  tracks: Track[];
  people: Person[];
  sets: Playlist[];
  corrected_q?: string | undefined;
}

export type PeoplePage = PageOf<Person>;

/** Rows of tracks, and a line or two of cards. */
const MOST = { tracks: 10, people: 6, sets: 6 };

/** People per page. */
const LIMIT = 30;

function searchOf(q: string, forgiving: boolean) {
  const { error } = SearchText.safeParse(q);
  if (error) throw new ApiRefusal(422, [`q: ${error.issues[0]?.message}`]);
  return parseSearch({ q, forgiving });
}

/** Finds the best of all kinds. If something has the words as typed, no other kind is corrected. */
export async function findAll(c: Context<AppEnv>, q: string, forgiving: boolean): Promise<AllFound> {
  const { env } = c;
  const filter = searchOf(q, forgiving);
  const country = countryOf(c.req);
  const [tracks, people, sets] = await readAsReader(c, (db, viewer) =>
    searchSite(db, viewer, filter, { most: MOST, country }),
  );
  const all = [tracks, people, sets].flatMap(([best]) => (best ? [best.meant] : []));
  const meant = all.includes(null) ? null : (all[0] ?? null);
  const fitting = <Row extends { meant: string | null }>(rows: Row[], most: number) =>
    rows.filter((row) => row.meant === meant).slice(0, most);
  return {
    tracks: fitting(tracks, MOST.tracks).map((row) => representTrack(env, row)),
    people: fitting(people, MOST.people).map((row) => personOf(row, env)),
    sets: fitting(sets, MOST.sets).map((row) => representPlaylist(env, row)),
    corrected_q: meant ?? undefined,
  };
}

const personOf = (
  row: Parameters<typeof representUser>[0] & { follows: number },
  env: AppEnv["Bindings"],
): Person => ({
  user: representUser(row, env),
  follows: row.follows === 1,
});

/** Lists people, newest or best match first. */
export async function findPeople(c: Context<AppEnv>, q: string, forgiving: boolean): Promise<PeoplePage> {
  const filter = searchOf(q, forgiving);
  const cursor = c.req.query("cursor");
  return readAsReader(c, async (db, viewer) => {
    const asking = { env: c.env, req: c.req, var: { viewer } };
    const { page, nextHref } = readPage<ListPosition>(asking, "search/people", filter, {
      limit: LIMIT,
      offset: 0,
      cursor,
    });
    const { people, next, meant } = await searchPeople(db, viewer, filter, page);
    const next_href = nextHref(next, meant);
    return {
      collection: people.map((row) => personOf(row, c.env)),
      ...(next_href && { next_href }),
      ...(meant !== undefined && { corrected_q: meant }),
    };
  });
}
