import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { builder, selected } from "../stored-select.ts";
import type { Caller } from "./caller.ts";
import { positionOf } from "./choose-matches.ts";
import { chooseTracks, type TrackPage, type TrackPosition } from "./choose-tracks.ts";
import type { ForgivenPlace } from "./forgiving.ts";
import { type ShownTrack, shownTo, showTracks } from "./show-tracks.ts";
import type { TrackFilter } from "./track-filters.ts";

/** A page of tracks. `next` continues. `found` is false if the list's subject does not exist. */
export type TrackList<Position> =
  | { found: false }
  | {
      found: true;
      tracks: ShownTrack[];
      next: Position | null;
      /** The words that were searched for instead of those typed. */
      meant?: string | undefined;
    };

/** A page of a list that its statement orders. */
export interface OrderedTracksQuery<Position> {
  filter: TrackFilter;
  /** `ascending` sorts by age; `undefined` means the list's own order. */
  page: { limit: number; offset: number; ascending?: boolean | undefined } & Partial<Position>;
}

/** Makes a page of the chosen rows, of which there is one too many. A page ends before a track that does not fit. */
export function toTrackList<Row extends ShownTrack, Position>(
  rows: Row[],
  limit: number,
  positionOf: (last: Row) => Position,
): TrackList<Position> {
  const cut = rows.findIndex(({ fits }) => !fits);
  const tracks = rows.slice(0, cut < 0 ? limit : Math.min(cut, limit));
  const last = tracks.at(-1);
  return { found: true, tracks, next: last && rows.length > tracks.length ? positionOf(last) : null };
}

interface TrackListQuery {
  filter: TrackFilter;
  page: TrackPage;
  country: string | undefined;
}

/** Lists the tracks of a page that the caller sees. */
export async function listTracks(
  db: Database,
  caller: Caller,
  { filter, page, country }: TrackListQuery,
): Promise<TrackList<TrackPosition>> {
  const shown = shownTo(caller, { secretHash: undefined, country });
  const named = onlyIds(filter, page);
  if (named) {
    const rows = await db.read(showTracks.with({ ...shown, ids: named }));
    return toTrackList(rows.filter(isListed), page.limit, ({ id }) => ({ id }));
  }
  const subject = filter.owner ?? filter.favored_by ?? filter.reposted_by ?? filter.credited;
  const choice = chooseTracks(filter, page, { userId: caller.userId, country });
  const reading = showTracks.chosenBy(choice, shown);
  const listed = (rows: (ShownTrack & ForgivenPlace)[]) => ({
    ...toTrackList(rows, page.limit, positionOf),
    meant: rows[0]?.meant ?? undefined,
  });
  if (subject === undefined) return listed(await db.read(reading));
  // The first statement decides whether a replica can answer: a user may have no tracks.
  const [known, rows] = await db.readAll([present(subject), reading]);
  return known.length ? listed(rows) : { found: false };
}

/** Returns the ids of a page that needs no choice, in order. */
function onlyIds(filter: TrackFilter, { id, limit, offset, ascending }: TrackPage): number[] | undefined {
  const { ids, ...others } = filter;
  const isOnly = Object.values(others).every((value) => value === undefined);
  if (!ids || !isOnly || ids.length > limit || offset > 0 || id !== undefined) return undefined;
  return ids.toSorted((a, b) => (ascending ? a - b : b - a));
}

/** Like `isListedTrack`, for rows. Others' private tracks, though shared, stand in no list. */
const isListed = ({ owned, sharing, state }: ShownTrack) =>
  owned || (sharing === "public" && state !== "failed");

/** Finds a user who has not left. */
export const present = (id: number) =>
  selected(
    builder
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.disabledAt))),
  );
