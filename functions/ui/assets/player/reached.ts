import type { MediaSources } from "./media-ways.ts";

/** Tells how far plays go, for the insights of owners. */

interface Playing {
  readonly audio: HTMLAudioElement;
  readonly sources: MediaSources | undefined;
  /** Seconds. */
  readonly duration: number;
}

const followed = new WeakSet<Playing>();

/** Follows an engine from now on. Nothing is told before a play ends. */
export function followReached(engine: Playing): void {
  if (followed.has(engine)) return;
  followed.add(engine);
  const { audio } = engine;
  let address = "";
  let quarter = 0;
  const tell = () => {
    if (quarter && address) navigator.sendBeacon(new URL(`reached?quarter=${quarter}`, address));
    quarter = 0;
  };
  audio.addEventListener("timeupdate", () => {
    const { hls, mp3 } = engine.sources ?? {};
    if (audio.paused || audio.seeking || !(engine.duration > 0)) return;
    address = hls ?? mp3 ?? "";
    quarter = Math.max(quarter, Math.min(Math.floor((audio.currentTime / engine.duration) * 4), 3));
  });
  audio.addEventListener("ended", () => {
    quarter = 4;
    tell();
  });
  // Another track is loaded, or the page ends.
  audio.addEventListener("emptied", tell);
  window.addEventListener("pagehide", tell);
}
