import { secondsToNextBar } from "./waveform.ts";

/** Milliseconds, as long as a frame. Bars that are nearer to each other appear together. */
const LEAST_MS = 16;

/** Times are in seconds. */
interface Playback {
  isPlaying(): boolean;
  position(): number;
  length(): number;
  rate?(): number;
}

/**
 * Calls `show` whenever playback reaches a bar of the waveform or a second of the clock: `timeupdate` comes four
 * times a second, which looks jerky, and most frames would change nothing. Returns a function that starts it, and
 * does nothing while it runs.
 */
export function openFollowing(
  { isPlaying, position, length, rate = () => 1 }: Playback,
  canvas: HTMLCanvasElement,
  show: () => void,
): () => void {
  let isFollowing = false;
  function step(): void {
    isFollowing = isPlaying();
    show();
    if (!isFollowing) return;
    const [at, end] = [position(), length()];
    const leftS = Math.min(Math.floor(at) + 1 - at, secondsToNextBar(canvas, at, end)) / rate();
    setTimeout(step, Math.max(LEAST_MS, leftS * 1000));
  }
  return () => {
    if (!isFollowing) step();
  };
}
