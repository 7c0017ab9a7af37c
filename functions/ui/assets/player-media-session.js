import { player } from "./player.js";

/** Lock screens, headsets and media keys. */

/** Seconds. */
const LEAP_S = 15;

const session = navigator.mediaSession;

const ACTIONS = {
  play: () => player.play(),
  pause: () => player.pause(),
  stop: () => player.pause(),
  previoustrack: () => player.previous(),
  nexttrack: () => player.next(),
  seekbackward: ({ seekOffset }) => player.seek(player.position - (seekOffset || LEAP_S)),
  seekforward: ({ seekOffset }) => player.seek(player.position + (seekOffset || LEAP_S)),
  seekto: ({ seekTime }) => player.seek(seekTime),
};

function describe() {
  const { title, artist, artwork } = player.entry;
  const pictures = artwork
    ? [
        { src: artwork, sizes: "300x300", type: "image/jpeg" },
        { src: artwork.replace("-t300x300.", "-t500x500."), sizes: "500x500", type: "image/jpeg" },
      ]
    : [];
  session.metadata = new MediaMetadata({ title, artist, artwork: pictures });
}

function place() {
  const { duration, position, rate } = player;
  session.playbackState = player.isPlaying ? "playing" : "paused";
  if (!(duration > 0)) return;
  session.setPositionState({ duration, position: Math.min(position, duration), playbackRate: rate });
}

if (session) {
  // Browsers refuse the actions that they do not know.
  for (const [name, action] of Object.entries(ACTIONS))
    try {
      session.setActionHandler(name, action);
    } catch {}
  player.addEventListener("track", describe);
  for (const name of ["track", "state"]) player.addEventListener(name, place);
  if (player.entry) describe();
}
