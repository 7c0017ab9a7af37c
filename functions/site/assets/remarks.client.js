/** Shows timed comments below the player while the track is where they were made. */

/** Milliseconds that one stays. */
const STAYS_MS = 6000;

const player = document.querySelector(".player");
const [audio, said] = ["audio", ".said"].map((selector) => player.querySelector(selector));

/** In the order of the track's time. Another track brings its own. */
const comments = () => JSON.parse(player.dataset.comments ?? "[]");

audio.addEventListener("timeupdate", () => {
  const at = audio.currentTime * 1000;
  const latest = comments().findLast((comment) => comment.at <= at);
  const shown = latest && at - latest.at < STAYS_MS ? `${latest.by}: ${latest.text}` : "";
  if (said.textContent !== shown) said.textContent = shown;
  said.hidden = shown === "";
});
