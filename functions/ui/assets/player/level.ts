import { readChoice, storeChoice } from "../choices.ts";
import { find } from "../elements.ts";
import { EVEN_LEVEL, gainOf } from "./loudness.ts";

/** iPhones and iPads leave the volume to their keys. Some take back only later what a page has set. */
async function isVolumeFixed(): Promise<boolean> {
  const probe = new Audio();
  probe.volume = 0.5;
  await new Promise((wake) => setTimeout(wake));
  return probe.volume !== 0.5;
}

/**
 * Turns loud tracks down to one level, as part of the listener's volume. Returns a function that applies it to
 * the track that the player's attributes describe. Hides what would have no effect.
 */
export function openLevel(player: HTMLElement, audio: { volume: number }): () => void {
  const volume = find(player, ".volume", HTMLElement);
  const loudness = find(volume, "input", HTMLInputElement);
  const level = find(player, ".level", HTMLElement);
  const choice = find(level, "input", HTMLInputElement);
  choice.checked = readChoice(EVEN_LEVEL);
  let isFixed = false;

  function apply(): void {
    const { lufs } = player.dataset;
    level.hidden = isFixed || lufs === undefined;
    audio.volume = Number(loudness.value) * (choice.checked && lufs !== undefined ? gainOf(Number(lufs)) : 1);
  }
  loudness.addEventListener("input", apply);
  choice.addEventListener("change", () => {
    storeChoice(EVEN_LEVEL, choice.checked);
    apply();
  });
  isVolumeFixed().then((is) => {
    isFixed = is;
    volume.hidden = is;
    level.hidden ||= is;
  });
  return apply;
}
