import { clock } from "./clock.ts";
import { openFollowing } from "./follow-playback.ts";
import { openSeek } from "./seek.js";
import { writePosition } from "./spoken-position.ts";
import { inTurns, showMarks, textAt } from "./track-marks.js";
import { drawWaveform, LEVEL, loadSamples } from "./waveform.js";

/** Button, waveform and timed comments of the player. Returns what shows the sound's present state. */
export function openControls(root, sound) {
  const part = (selector) => root.querySelector(selector);
  const [button, seek, canvas, said] = [".embed-play", ".embed-seek", "canvas", ".said"].map(part);

  let samples = LEVEL;
  /** The address of the waveform that `samples` came from, or will. */
  let waveform;
  /** Tells the seconds at which the pointer holds the position, `undefined` otherwise. */
  let sought = () => undefined;

  const clamp = (seconds) => Math.min(Math.max(seconds, 0), sound.duration());
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

  /** The comments and the length for which the marks were drawn. */
  let marked;
  let turns = [];

  function showComments() {
    const comments = sound.played()?.comments ?? [];
    const duration = sound.duration();
    if (marked?.comments !== comments || marked.duration !== duration)
      showMarks(part(".marks"), comments, duration);
    if (marked?.comments !== comments) turns = inTurns(comments);
    marked = { comments, duration };
    const text = textAt(turns, position(), !sound.isPaused());
    if (said.textContent !== text) said.textContent = text;
    said.hidden = text === "";
  }

  async function showWaveform() {
    const { sound: track, durationMs } = sound.played();
    const address = track?.waveform_url ?? undefined;
    if (address === waveform) return;
    waveform = address;
    samples = LEVEL;
    if (!address) return;
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
    showComments();
    showWaveform();
  }

  const follow = openFollowing(
    { isPlaying: () => !sound.isPaused(), position, length: sound.duration },
    canvas,
    showPosition,
  );

  sought = openSeek(seek, {
    ...{ position, length: sound.duration, moveTo: sound.seek, toggle, show: showPosition },
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

  part("audio").controls = false;
  part(".embed-controls").hidden = false;
  root.classList.add("ready");
  new ResizeObserver(showPosition).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showPosition);
  return { show, follow };
}
