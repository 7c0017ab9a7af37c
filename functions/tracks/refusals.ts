import type { Change, Refusal } from "../../db/queries/own-tracks.ts";
import { changedSince, conflict, forbidden, invalid, notFound, unauthorized } from "../http/errors.ts";

/** Fields of a release date as they were sent. */
export interface SentDate {
  release_date?: unknown;
  release_day?: unknown;
  release_month?: unknown;
  release_year?: unknown;
}

/** The date may be wrong together with what stood there before, so the fault lies with a field that was sent. */
export function noSuchDate(wrapper: "track" | "playlist", sent: SentDate): never {
  const fields = ["release_date", "release_day", "release_month", "release_year"] as const;
  const named = fields.filter((field) => sent[field] !== undefined);
  return invalid(named.map((field) => `${wrapper}[${field}]: there is no such date`));
}

/** What a statement that refused says to whoever asked. `sent` matters to what only some changes can run into. */
export const REFUSALS: Record<Refusal, (sent?: SentDate) => never> = {
  unknown: () => notFound("Track"),
  changed: () => changedSince("The track"),
  not_yours: () => forbidden("The track is another user's"),
  unknown_label: () => invalid("track[label_id]: there is no such user"),
  no_such_date: (sent = {}) => noSuchDate("track", sent),
  unknown_user: () => invalid("users: holds yourself, or somebody who does not exist"),
  needs_user: () => unauthorized("A private track needs a user's access token", true),
  blocked: () => forbidden("The track is not available to you"),
  not_downloadable: () => notFound("Download"),
  not_failed: () => conflict("The track has not failed, so there is nothing to try again"),
  not_retryable: () => invalid("The file is the cause, so encoding it again would fail again"),
};

/** What the statement did; else it refuses. */
export function done<Result>(change: Change<Result>, sent?: SentDate): Result {
  return change.outcome === "done" ? change : REFUSALS[change.outcome](sent);
}
