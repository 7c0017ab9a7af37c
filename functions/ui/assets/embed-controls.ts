import { clock } from "./clock.ts";
import { find } from "./elements.ts";
import type { EmbeddedSound } from "./embed-sound.ts";
import { openFollowing } from "./follow-playback.ts";
import { openSeek } from "./seek.ts";
import { writePosition } from "./spoken-position.ts";
import { drawWaveform, LEVEL, loadSamples } from "./waveform.ts";
import { inTurns, showComments, type TimedComment, textAt } from "./waveform-comments.ts";

/** Button, waveform and timed comments of the player. Returns what shows the sound's present state. */
export function openControls(root: HTMLElement, sound: EmbeddedSound) {
  const part = (selector: string) => find(root, selector, HTMLElement);
  const [button, seek, said] = [part(".embed-play"), part(".embed-seek"), part(".said")];
  const canvas = find(root, "canvas", HTMLCanvasElement);

  let samples = LEVEL;
  /** The address of the waveform that `samples` came from, or will. */
  let waveform: string | undefined;
  /** Tells the seconds at which the pointer holds the position, `undefined` otherwise. */
  let sought: () => number | undefined = () => undefined;

  const clamp = (seconds: number) => Math.min(Math.max(seconds, 0), sound.duration());
  const position = () => clamp(sought() ?? sound.position());
  const toggle = () => (sound.isPaused() ? sound.play() : sound.pause());

  function showPosition() {
    const [at, duration] = [position(), sound.duration()];
    part(".embed-elapsed").textContent = clock(at);
    part(".embed-total").textContent = clock(duration);
    seek.setAttribute("aria-valuemax", String(Math.round(duration)));
    seek.setAttribute("aria-valuenow", String(Math.round(at)));
    writePosition(seek, { at, length: duration, isPlaying: !sound.isPaused() });
    drawWaveform(canvas, samples, duration ? at / duration : 0);
  }

  /** The comments and the length as last shown. */
  let shown: { comments: TimedComment[] | undefined; duration: number } | undefined;
  let turns: ReturnType<typeof inTurns> = [];

  function followComments() {
    const comments = sound.played()?.comments;
    const duration = sound.duration();
    if (shown?.comments !== comments || shown?.duration !== duration)
      showComments(part(".waveform-comments"), comments ?? [], duration);
    if (shown?.comments !== comments) turns = inTurns(comments ?? []);
    shown = { comments, duration };
    const text = textAt(turns, position(), !sound.isPaused());
    if (said.textContent !== text) said.textContent = text;
    said.hidden = text === "";
  }

  async function showWaveform() {
    const { sound: track, durationMs } = sound.played() ?? {};
    const address = track?.waveform_url ?? undefined;
    if (address === waveform) return;
    waveform = address;
    samples = LEVEL;
    if (!track || !address || durationMs === undefined) return;
    const whole = await loadSamples(address);
    if (address !== waveform) return;
    // Keeps only the audible part of a preview.
    samples = whole.slice(0, Math.max(1, Math.round((whole.length * durationMs) / track.duration)));
    showPosition();
  }

  function show() {
    const plays = !sound.isPaused();
    root.hidden = !sound.played()?.sources;
    root.classList.toggle("playing", plays);
    root.classList.toggle("loading", sound.isLoading());
    button.setAttribute("aria-label", plays ? "Pause" : "Play");
    showPosition();
    followComments();
    showWaveform();
  }

  const follow = openFollowing(
    { isPlaying: () => !sound.isPaused(), position, length: () => sound.duration() },
    canvas,
    showPosition,
  );

  sought = openSeek(seek, {
    position,
    length: () => sound.duration(),
    moveTo: (seconds) => sound.seek(seconds),
    toggle,
    show: showPosition,
    playFrom(seconds) {
      sound.seek(seconds);
      sound.play();
    },
  });
  button.addEventListener("click", toggle);
  // Not while a control has the focus, which takes the key itself.
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || document.activeElement !== document.body) return;
    event.preventDefault();
    if (!event.repeat) toggle();
  });

  find(root, "audio", HTMLAudioElement).controls = false;
  part(".embed-controls").hidden = false;
  root.classList.add("ready");
  new ResizeObserver(showPosition).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showPosition);
  return { show, follow };
}
