import type { Change, Refusal } from "../../../db/queries/own-tracks.ts";
import { changedSince, conflict, forbidden, invalid, notFound, unauthorized } from "../../lib/http/errors.ts";
import { PERMALINK_TAKEN } from "../users/permalinks.ts";

/** Parts of a release date, as in the request. */
export interface SentDate {
  release_date?: unknown;
  release_day?: unknown;
  release_month?: unknown;
  release_year?: unknown;
}

/** A field may be wrong only in combination with a stored one, so the error names every field of the request. */
export function noSuchDate(wrapper: "track" | "playlist" | "release", sent: SentDate): never {
  const fields = ["release_date", "release_day", "release_month", "release_year"] as const;
  const named = fields.filter((field) => sent[field] !== undefined);
  return invalid(named.map((field) => `${wrapper}[${field}]: is part of no date that exists`));
}

/** The error for each refusal of a statement. Only some use `sent`. */
export const REFUSALS: Record<Refusal, (sent?: SentDate) => never> = {
  unknown: () => notFound("Track"),
  changed: () => changedSince("The track"),
  not_yours: () => forbidden("The track is another user's"),
  unknown_label: () => invalid("track[label_id]: is the id of no user"),
  no_such_date: (sent = {}) => noSuchDate("track", sent),
  unknown_user: () => invalid("users: contains yourself, or somebody who does not exist"),
  needs_user: () => unauthorized("A private track needs a user's access token", true, "user-token-needed"),
  blocked: () => forbidden("The track is not available to you", "blocked-track"),
  not_downloadable: () => notFound("Download"),
  no_original: () => invalid("track[downloadable]: the file that you sent is no longer kept"),
  not_failed: () => conflict("The track has not failed, so there is nothing to try again"),
  taken_down: () =>
    forbidden("track[sharing]: the track was taken down, so it cannot be made public", "taken-down"),
  time_passed: () =>
    invalid("track[publish_at]: has passed; leave it empty and choose `public` to publish at once"),
  is_public: () =>
    invalid(
      "track[publish_at]: must be empty for a public track; make it private as well to hide it until then",
    ),
  permalink_taken: () => invalid(`permalink: ${PERMALINK_TAKEN}`),
  no_old_track: () => invalid("superseded_id: names no other track of yours"),
  not_finished: () => conflict("The track is not finished, so it cannot take another one's place"),
  is_down: () => forbidden("One of the tracks was taken down", "taken-down"),
  not_retryable: () => invalid("The file is the cause, so encoding it again would fail"),
};

/** Returns the result of a write, or throws the HTTP error for its refusal. */
export function unwrap<Result>(change: Change<Result>, sent?: SentDate): Result {
  return change.outcome === "done" ? change : REFUSALS[change.outcome](sent);
}
