import { clock } from "../clock.ts";
import { find, findIfAny } from "../elements.ts";
import { openFollowing } from "./follow-playback.ts";
import { openSeek } from "./seek.ts";
import { writePosition } from "./spoken-position.ts";
import { drawWaveform, LEVEL, loadSamples } from "./waveform.ts";
import { inTurns, showComments, type TimedComment, textAt } from "./waveform-comments.ts";

/** The sound of a waveform. Times are in seconds. */
interface Waved {
  position(): number;
  length(): number;
  isPlaying(): boolean;
  /** Whether comments are shown as they are reached. */
  isHeard(): boolean;
  rate?(): number;
  moveTo(seconds: number): void;
  playFrom(seconds: number): void;
  toggle(): void;
}

/**
 * A track's waveform with its comments and clock, which shows where the sound is and moves it. Parts of `root` have the
 * class `${prefix}seek` and so on. `follow` shows the position for as long as it moves.
 */
export function openWaveform(root: HTMLElement, prefix: string, sound: Waved, signal?: AbortSignal) {
  const part = (selector: string) => find(root, `.${selector}`, HTMLElement);
  const [seek, elapsed, total] = [part(`${prefix}seek`), part(`${prefix}elapsed`), part(`${prefix}total`)];
  const said = part("said");
  // The track page has avatars.
  const dots = findIfAny(root, ".waveform-comments", HTMLElement);
  const canvas = find(root, "canvas", HTMLCanvasElement);

  let samples = LEVEL;
  /** The address of the waveform that `samples` came from, or will. */
  let address: string | undefined;
  let comments: TimedComment[] = [];
  let turns: ReturnType<typeof inTurns> = [];
  /** The length for which the comments were placed. */
  let placedFor: number | undefined;
  /** Tells the seconds at which the pointer holds the position, `undefined` otherwise. */
  let sought: () => number | undefined = () => undefined;

  const position = () => Math.min(Math.max(sought() ?? sound.position(), 0), sound.length());

  function show(): void {
    const [at, length] = [position(), sound.length()];
    elapsed.textContent = clock(at);
    total.textContent = clock(length);
    seek.setAttribute("aria-valuemax", String(Math.round(length)));
    seek.setAttribute("aria-valuenow", String(Math.round(at)));
    writePosition(seek, { at, length, isPlaying: sound.isPlaying() });
    drawWaveform(canvas, samples, length ? at / length : 0);
    if (dots && placedFor !== length) showComments(dots, comments, length);
    placedFor = length;
    const text = textAt(turns, at, sound.isHeard());
    if (said.textContent !== text) said.textContent = text;
    said.hidden = text === "";
  }

  /** Takes what is known of the track. `share` is the part of it that can be heard. */
  async function describe(timed: TimedComment[], picture: string | undefined, share: number): Promise<void> {
    if (timed !== comments) {
      comments = timed;
      turns = inTurns(comments);
      placedFor = undefined;
    }
    show();
    if (picture === address) return;
    address = picture;
    samples = LEVEL;
    if (!picture) return;
    const whole = await loadSamples(picture);
    if (picture !== address) return;
    // Keeps only the audible part of a preview.
    samples = whole.slice(0, Math.max(1, Math.round(whole.length * share)));
    show();
  }

  sought = openSeek(seek, { ...sound, position, show }, signal);
  const isPlaying = () => !signal?.aborted && sound.isPlaying();
  const follow = openFollowing({ ...sound, position, isPlaying }, canvas, show);
  const resized = new ResizeObserver(show);
  resized.observe(canvas);
  signal?.addEventListener("abort", () => resized.disconnect());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show, { signal });
  document.addEventListener("theme", show, { signal });
  return { position, show, describe, follow };
}
