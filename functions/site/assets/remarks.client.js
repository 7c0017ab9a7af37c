/** Shows timed comments below the player when playback reaches them. */

/** Milliseconds that one stays. */
const STAYS_MS = 6000;

const player = document.querySelector(".player");
const [audio, said] = ["audio", ".said"].map((selector) => player.querySelector(selector));

/** Sorted by time. Each track has its own. */
const comments = () => JSON.parse(player.dataset.comments ?? "[]");

audio.addEventListener("timeupdate", () => {
  const at = audio.currentTime * 1000;
  const latest = comments().findLast((comment) => comment.at <= at);
  const shown = latest && at - latest.at < STAYS_MS ? `${latest.by}: ${latest.text}` : "";
  if (said.textContent !== shown) said.textContent = shown;
  said.hidden = shown === "";
});
