import { and, eq, isNull, ne, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { tracks } from "../schema/tracks.ts";
import { selected } from "../stored-select.ts";
import { moment } from "./caller.ts";

/** Matches the rows of a partial index, so that the statements read little else. */
const isPublicTrack = and(eq(tracks.sharing, "public"), ne(tracks.state, "failed"));
const isPublicSet = eq(playlists.sharing, "public");

const placeBy = (...order: SQLWrapper[]) =>
  sql`row_number() over (order by ${sql.join(order, sql`, `)})`.as("place");

/** Finds the first keys of the pages, which have `each` entries. */
export async function findSitemapPages(db: Database, each: number) {
  const on = db.drizzle;
  const begins = ({ place }: { place: SQLWrapper }) => sql`${place} % ${each} = 1`;
  const track = on
    .select({ user: tracks.userId, id: tracks.id, place: placeBy(tracks.userId, tracks.id) })
    .from(tracks)
    .where(isPublicTrack)
    .as("track");
  const user = on
    .select({ id: tracks.userId, place: placeBy(tracks.userId) })
    .from(tracks)
    .where(isPublicTrack)
    .groupBy(tracks.userId)
    .as("uploader");
  const set = on
    .select({ id: playlists.id, place: placeBy(playlists.id) })
    .from(playlists)
    .where(isPublicSet)
    .as("set");
  const firstTracks = on
    .select({ user: track.user, id: track.id })
    .from(track)
    .where(begins(track))
    .orderBy(track.user, track.id);
  const firstUsers = on.select({ id: user.id }).from(user).where(begins(user)).orderBy(user.id);
  const firstSets = on.select({ id: set.id }).from(set).where(begins(set)).orderBy(set.id);
  const [ofTracks, ofUsers, ofSets] = await db.readAll([
    selected(firstTracks),
    selected(firstUsers),
    selected(firstSets),
  ]);
  return {
    tracks: ofTracks,
    users: ofUsers.map(({ id }) => id),
    sets: ofSets.map(({ id }) => id),
  };
}

export type SitemapPages = Awaited<ReturnType<typeof findSitemapPages>>;

export type SitemapKind = keyof SitemapPages;

/** Lists a page, which begins with the track, user or set of this key. What users left behind is missing. */
export function findSitemapPage(
  db: Database,
  kind: SitemapKind,
  { user, id }: { user: number | null; id: number | null },
  each: number,
): Promise<{ path: string; updated_at: string }[]> {
  const isPresent = (userId: SQLWrapper) => and(eq(users.id, userId), isNull(users.disabledAt));
  if (kind === "users")
    return db.read((on) => {
      const page = on
        .selectDistinct({ userId: tracks.userId })
        .from(tracks)
        .where(and(isPublicTrack, sql`${tracks.userId} >= ${user}`))
        .orderBy(tracks.userId)
        .limit(each)
        .as("page");
      return on
        .select({ path: users.permalink, updated_at: moment<string>(users.updatedAt) })
        .from(page)
        .innerJoin(users, isPresent(page.userId));
    });
  if (kind === "sets")
    return db.read((on) => {
      const { userId, permalink, updatedAt } = playlists;
      const page = on
        .select({ userId, permalink, updatedAt })
        .from(playlists)
        .where(and(isPublicSet, sql`${playlists.id} >= ${id}`))
        .orderBy(playlists.id)
        .limit(each)
        .as("page");
      return on
        .select({
          path: sql<string>`${users.permalink} || '/sets/' || ${page.permalink}`,
          updated_at: moment<string>(page.updatedAt),
        })
        .from(page)
        .innerJoin(users, isPresent(page.userId));
    });
  return db.read((on) => {
    const { userId, permalink, updatedAt } = tracks;
    const page = on
      .select({ userId, permalink, updatedAt })
      .from(tracks)
      .where(and(isPublicTrack, sql`(${userId}, ${tracks.id}) >= (${user}, ${id})`))
      .orderBy(userId, tracks.id)
      .limit(each)
      .as("page");
    return on
      .select({
        path: sql<string>`${users.permalink} || '/' || ${page.permalink}`,
        updated_at: moment<string>(page.updatedAt),
      })
      .from(page)
      .innerJoin(users, isPresent(page.userId));
  });
}
