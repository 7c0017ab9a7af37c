import { player } from "./player.ts";

/** One tab of a browser plays at a time: the one that began last. */

const tabs = new BroadcastChannel("player");
let wasPlaying = false;

player.addEventListener("state", () => {
  const { isPlaying } = player;
  if (isPlaying && !wasPlaying) tabs.postMessage("plays");
  wasPlaying = isPlaying;
});
tabs.addEventListener("message", () => player.pause());
