import { player } from "./player.ts";
import { store } from "./player-queue.ts";

/** Notes what plays and where, so that a reload takes it up. */

/** Milliseconds between notes of the position. */
const NOTED_EACH_MS = 3_000;

let notedAtMs = 0;

function note() {
  if (!player.entry) return;
  notedAtMs = Date.now();
  const { rate, volume, isMuted } = player;
  // Play begins anew after the end. At its last moment nothing would sound.
  const position = player.hasEnded ? 0 : player.position;
  store(player.queue, { position, rate, volume, isMuted });
}

for (const name of ["track", "queue", "state"]) player.addEventListener(name, note);
player.addEventListener("time", () => {
  if (Date.now() - notedAtMs > NOTED_EACH_MS) note();
});
addEventListener("pagehide", note);
