import { clock } from "../clock.ts";
import { find } from "../elements.ts";
import { player } from "./player.ts";
import { openSeek } from "./seek.ts";
import { writePosition } from "./spoken-position.ts";

/** The slider of the bar or of the full player. Returns a function that shows the position, and calls `onShow` with it. */
export function openSeekBar(seek: HTMLElement, onShow: (at: number, length: number) => void): () => void {
  const tip = find(seek, ".seek-tip", HTMLElement);
  let pointed: () => number | undefined = () => undefined;

  function show(): void {
    const length = player.duration || 0;
    const at = Math.min(pointed() ?? player.position, length);
    seek.style.setProperty("--share", String(length ? at / length : 0));
    seek.setAttribute("aria-valuemax", String(Math.round(length)));
    seek.setAttribute("aria-valuenow", String(Math.round(at)));
    seek.classList.toggle("held", pointed() !== undefined);
    writePosition(seek, { at, length, isPlaying: player.isPlaying && pointed() === undefined });
    onShow(at, length);
  }

  pointed = openSeek(seek, {
    position: () => player.position,
    length: () => player.duration || 0,
    moveTo: (seconds) => player.seek(seconds),
    playFrom(seconds) {
      player.seek(seconds);
      show();
    },
    toggle: () => player.toggle(),
    show,
  });
  seek.addEventListener("pointermove", ({ clientX }) => {
    const { left, width } = seek.getBoundingClientRect();
    const share = Math.min(Math.max((clientX - left) / width, 0), 1);
    seek.style.setProperty("--pointer", String(share));
    tip.textContent = clock(share * (player.duration || 0));
  });
  return show;
}
