/** Said in the players when a track does not play. */

/** By the track's state. */
export const REASONS = {
  blocked: "This track is not available to you.",
  failed: "The track could not be loaded: its file cannot be played.",
  processing: "The track could not be loaded: it is still being encoded. Try again in a moment.",
};
export const GONE = "This track is no longer there.";
export const UNREACHED = "The track could not be loaded. Check your connection and try again.";
/** The service has answered, but no source sounds. */
export const UNPLAYED = "The track could not be played. Try again later, or in another browser.";

/** Why nothing came instead of a track: `status` is that of the reply, `undefined` if there was none. */
export function reasonOf({ status = 503 }) {
  if (status >= 500) return UNREACHED;
  // Those who may not hear it learn no more.
  return status === 404 || status === 403 ? GONE : UNPLAYED;
}
