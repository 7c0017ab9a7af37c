import type { Authorized } from "../../db/queries/caller.ts";
import type { Change, Refusal } from "../../db/queries/own-tracks.ts";
import {
  changedSince,
  conflict,
  forbidden,
  invalid,
  notFound,
  stillSignedIn,
  unauthorized,
} from "../http/errors.ts";

/** What a statement that refused says to whoever asked. */
export const REFUSALS: Record<Refusal, () => never> = {
  unknown: () => notFound("Track"),
  changed: () => changedSince("The track"),
  not_yours: () => forbidden("The track is another user's"),
  unknown_label: () => invalid("track[label_id]: there is no such user"),
  no_such_date: () => invalid("track[release_day]: there is no such date"),
  unknown_user: () => invalid("users: holds yourself, or somebody who does not exist"),
  needs_user: () => unauthorized("A private track needs a user's access token", true),
  blocked: () => forbidden("The track is not available to you"),
  not_downloadable: () => notFound("Download"),
  not_failed: () => conflict("The track has not failed, so there is nothing to try again"),
  not_retryable: () => invalid("The file is the cause, so encoding it again would fail again"),
};

/** What the statement did; else it refuses. */
export function done<Result>(change: Authorized<Change<Result>>): Result {
  const settled = stillSignedIn(change);
  return settled.outcome === "done" ? settled : REFUSALS[settled.outcome]();
}
