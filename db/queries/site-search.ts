import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { type Choice, choiceOf } from "../stored-select.ts";
import { type Caller, sessionOf } from "./caller.ts";
import { type ListPage, type ListPosition, positionOf } from "./choose-matches.ts";
import { chooseTracks } from "./choose-tracks.ts";
import type { ForgivenPlace } from "./forgiving.ts";
import { choosePlaylists } from "./playlist-lists.ts";
import { showPlaylists } from "./show-playlists.ts";
import { showTracks } from "./show-tracks.ts";
import { showUsers } from "./show-users.ts";
import { countedFor, isFollowed, rowsFor } from "./site-lists.ts";
import type { SearchFilter } from "./track-filters.ts";
import { chooseUsers } from "./user-lists.ts";

interface Most {
  tracks: number;
  people: number;
  sets: number;
}

/** Finds the best tracks, people and sets. Beside each person stands whether the caller follows them. */
export async function searchSite(
  db: Database,
  caller: Caller,
  filter: SearchFilter,
  { most, country }: { most: Most; country: string | undefined },
) {
  const facts = { secretHash: undefined, country };
  const first = (limit: number) => ({ limit, offset: 0 });
  const tracks = { ...first(most.tracks), ascending: false, ranked: true };
  const reader = { userId: caller.userId, country };
  return db.readAll([
    showTracks.chosenBy(chooseTracks(filter, tracks, reader), rowsFor(caller, facts)),
    showUsers.chosenBy(
      withFollows(chooseUsers(filter, first(most.people), caller), caller),
      sessionOf(caller),
    ),
    showPlaylists.chosenBy(
      choosePlaylists(filter, first(most.sets), caller.userId),
      countedFor(caller, facts),
    ),
  ]);
}

/** Lists people, newest or best match first, and whether the caller follows them. */
export async function searchPeople(db: Database, caller: Caller, filter: SearchFilter, page: ListPage) {
  const choice = withFollows(chooseUsers(filter, page, caller), caller);
  const rows = await db.read(showUsers.chosenBy(choice, sessionOf(caller)));
  const last = rows.length > page.limit ? rows[page.limit - 1] : undefined;
  const next: ListPosition | null = last ? positionOf(last) : null;
  return { people: rows.slice(0, page.limit), next, meant: rows[0]?.meant ?? undefined };
}

/** Adds whether the caller follows the chosen users. */
const withFollows = (choice: Choice<ForgivenPlace>, { userId }: Caller) =>
  choiceOf<ForgivenPlace & { follows: number }>(
    sql`select ${users.id}, place, rank, low, high, meant, ${isFollowed(users.id, userId)}
      from (${choice.getSQL()}) ${users}(id, place, rank, low, high, meant)`,
    ["place", "rank", "low", "high", "meant", "follows"],
  );
