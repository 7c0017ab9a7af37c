/** Seconds of the longest packet, by which lengths may differ. */
const PACKET_S = 0.03;

/**
 * While a track is being encoded, its length is what can be played, until the playlist's end has come too. Some
 * browsers call its duration infinite.
 */
export function lengthInSeconds({ sources, entry, grows }, { duration, seekable }) {
  const whole = (sources?.durationMs ?? entry?.durationMs ?? 0) / 1000;
  if (!grows) return whole;
  const ready = Number.isFinite(duration) ? duration : seekable.length && seekable.end(seekable.length - 1);
  return sources.state === "growing" || ready < whole - PACKET_S ? ready : whole;
}
