import { chooseTracks, type TrackPage } from "../../db/queries/choose-tracks.ts";
import { relatedTracks } from "../../db/queries/related-tracks.ts";
import { shownTo, showTracks } from "../../db/queries/show-tracks.ts";
import type { TrackFilter } from "../../db/queries/track-filters.ts";

const CALLER = { sessionId: 1, clientId: "cost", userId: 1 };
const FACTS = { country: "DE", secretHash: undefined };

/** Composes the statement of a list, as the service sends it for user 1 of session 1. */
export function listStatement(filter: TrackFilter, page: Partial<TrackPage> = {}) {
  const asked = { limit: 50, offset: 0, ascending: false, ranked: filter.words !== undefined, ...page };
  const choice = chooseTracks(filter, asked, { userId: CALLER.userId, country: FACTS.country });
  return showTracks.chosenBy(choice, shownTo(CALLER, FACTS)).statement();
}

/** The same for the tracks that are related to another. */
export const relatedStatement = (id: number) =>
  relatedTracks(id, CALLER, FACTS, { filter: {}, page: { limit: 50, offset: 0 } }).statement();
