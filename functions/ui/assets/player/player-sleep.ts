import { player } from "./player.ts";
import { say } from "./player-said.ts";

const MINUTE_MS = 60_000;

/** Pauses the music after some minutes, or once the track is over. */
export function openSleepTimer(choice: HTMLSelectElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function fallAsleep(): void {
    choice.value = "";
    player.pause();
    say("The sleep timer has paused the music.");
  }

  choice.addEventListener("change", () => {
    clearTimeout(timer);
    player.stopsAtEnd = choice.value === "end";
    if (Number(choice.value) > 0) timer = setTimeout(fallAsleep, Number(choice.value) * MINUTE_MS);
  });
  player.addEventListener("stopped", fallAsleep);
}
