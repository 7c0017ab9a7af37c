import { readChoice, storeChoice } from "./choices.js";
import { EVEN_LEVEL, gainOf } from "./loudness.js";

/**
 * Turns loud tracks down to one level, as part of the listener's volume. Returns a function that applies it to
 * the track that the player's attributes describe.
 */
export function openLevel(player, audio) {
  const volume = player.querySelector(".volume input");
  const level = player.querySelector(".level");
  const choice = level.querySelector("input");
  choice.checked = readChoice(EVEN_LEVEL);

  function apply() {
    const { lufs } = player.dataset;
    level.hidden = lufs === undefined;
    audio.volume = Number(volume.value) * (choice.checked && lufs !== undefined ? gainOf(Number(lufs)) : 1);
  }
  volume.addEventListener("input", apply);
  choice.addEventListener("change", () => {
    storeChoice(EVEN_LEVEL, choice.checked);
    apply();
  });
  return apply;
}
