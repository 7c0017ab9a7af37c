import { find } from "../elements.ts";
import type { TimedComment } from "../player/waveform-comments.ts";
import { openWaveform } from "../player/waveform-view.ts";
import type { EmbeddedSound } from "./embed-sound.ts";

const NONE: TimedComment[] = [];

/** Button and waveform of the player. Returns what shows the sound's present state. */
export function openControls(root: HTMLElement, sound: EmbeddedSound) {
  const button = find(root, ".embed-play", HTMLElement);
  const isPlaying = () => !sound.isPaused();
  const toggle = () => (isPlaying() ? sound.pause() : sound.play());
  const waveform = openWaveform(root, "embed-", {
    position: () => sound.position(),
    length: () => sound.duration(),
    isPlaying,
    isHeard: isPlaying,
    moveTo: (seconds) => sound.seek(seconds),
    toggle,
    playFrom(seconds) {
      sound.seek(seconds);
      sound.play();
    },
  });

  function show() {
    const { sources, sound: track, comments = NONE, durationMs = 0 } = sound.played() ?? {};
    root.hidden = !sources;
    root.classList.toggle("playing", isPlaying());
    root.classList.toggle("loading", sound.isLoading());
    button.setAttribute("aria-label", isPlaying() ? "Pause" : "Play");
    waveform.describe(comments, track?.waveform_url ?? undefined, durationMs / (track?.duration || 1));
  }

  button.addEventListener("click", toggle);
  // Not while a control has the focus, which takes the key itself.
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || document.activeElement !== document.body) return;
    event.preventDefault();
    if (!event.repeat) toggle();
  });

  find(root, "audio", HTMLAudioElement).controls = false;
  find(root, ".embed-controls", HTMLElement).hidden = false;
  root.classList.add("ready");
  return { show, follow: waveform.follow };
}
