/** Said in the players when a track does not play. */

/** By the track's state. */
export const REASONS: Record<string, string | undefined> = {
  blocked: "This track is not available to you.",
  failed: "The track could not be loaded: its file cannot be played.",
  processing: "The track could not be loaded: it is still being encoded. Try again in a moment.",
};
/** A part of the player did not come. */
export const UNLOADED = "The service could not be reached. Check your connection and try again.";
const GONE = "This track is no longer there.";
export const UNREACHED = "The track could not be loaded. Check your connection and try again.";
/** The service has answered, but no source sounds. */
export const UNPLAYED = "The track could not be played. Try again later, or in another browser.";

/** The status of the reply that refused something, `undefined` if no reply came. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && "status" in error && typeof error.status === "number" ? error.status : undefined;

/** Why nothing came instead of a track. */
export function reasonOf(error: unknown): string {
  const status = statusOf(error) ?? 503;
  if (status >= 500) return UNREACHED;
  // Those who may not hear it learn no more.
  return status === 404 || status === 403 ? GONE : UNPLAYED;
}
