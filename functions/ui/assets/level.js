import { readChoice, storeChoice } from "./choices.js";
import { EVEN_LEVEL, gainOf } from "./loudness.js";

/** iPhones and iPads leave the volume to their keys. Some take back only later what a page has set. */
async function isVolumeFixed() {
  const probe = new Audio();
  probe.volume = 0.5;
  await new Promise((wake) => setTimeout(wake));
  return probe.volume !== 0.5;
}

/**
 * Turns loud tracks down to one level, as part of the listener's volume. Returns a function that applies it to
 * the track that the player's attributes describe. Hides what would have no effect.
 */
export function openLevel(player, audio) {
  const volume = player.querySelector(".volume input");
  const level = player.querySelector(".level");
  const choice = level.querySelector("input");
  choice.checked = readChoice(EVEN_LEVEL);
  let isFixed = false;

  function apply() {
    const { lufs } = player.dataset;
    level.hidden = isFixed || lufs === undefined;
    audio.volume = Number(volume.value) * (choice.checked && lufs !== undefined ? gainOf(Number(lufs)) : 1);
  }
  volume.addEventListener("input", apply);
  choice.addEventListener("change", () => {
    storeChoice(EVEN_LEVEL, choice.checked);
    apply();
  });
  isVolumeFixed().then((is) => {
    isFixed = is;
    volume.parentElement.hidden = is;
    level.hidden ||= is;
  });
  return apply;
}
