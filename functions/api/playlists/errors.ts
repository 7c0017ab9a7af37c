import type { PlaylistChange, PlaylistRefusal } from "../../../db/queries/playlists.ts";
import { changedSince, forbidden, invalid, notFound } from "../../lib/http/errors.ts";
import { noSuchDate, type SentDate } from "../tracks/errors.ts";
import { PERMALINK_TAKEN } from "../users/permalinks.ts";

/** The error for each refusal of a statement. */
const REFUSALS: Record<PlaylistRefusal, (sent?: SentDate) => never> = {
  unknown: () => notFound("Playlist"),
  changed: () => changedSince("The playlist"),
  not_yours: () => forbidden("The playlist is another user's"),
  taken_down: () =>
    forbidden("playlist[sharing]: an operator removed the set, so nothing shows it to others", "taken-down"),
  unknown_label: () => invalid("playlist[label_id]: is the id of no user"),
  no_such_date: (sent = {}) => noSuchDate("playlist", sent),
  // The same error for a missing and an invisible track.
  unknown_track: () => invalid("playlist[tracks]: names a track that does not exist"),
  too_many_tracks: () => invalid("playlist[tracks]: a playlist may hold 500 tracks at most"),
  not_held: () => notFound("Track"),
  time_passed: () =>
    invalid("playlist[publish_at]: has passed; leave it empty and choose `public` to publish at once"),
  is_public: () =>
    invalid(
      "playlist[publish_at]: must be empty for a public playlist; make it private as well to hide it until then",
    ),
  permalink_taken: () => invalid(`permalink: ${PERMALINK_TAKEN}`),
  no_category: () => invalid("podcast[category]: is missing"),
};

/** Returns the result of a write, or throws the HTTP error for its refusal. */
export function unwrap<Result>(change: PlaylistChange<Result>, sent?: SentDate): Result {
  return change.outcome === "done" ? change : REFUSALS[change.outcome](sent);
}
