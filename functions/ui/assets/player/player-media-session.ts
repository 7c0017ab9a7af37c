import { offerActions } from "./media-actions.ts";
import { player } from "./player.ts";

/** Lock screens, headsets and media keys. */

/** Seconds. */
const LEAP_S = 15;

const ACTIONS = new Map<MediaSessionAction, MediaSessionActionHandler>([
  ["play", () => player.play()],
  ["pause", () => player.pause()],
  ["stop", () => player.pause()],
  ["previoustrack", () => player.previous()],
  ["nexttrack", () => player.next()],
  ["seekbackward", ({ seekOffset }) => player.seek(player.position - (seekOffset || LEAP_S))],
  ["seekforward", ({ seekOffset }) => player.seek(player.position + (seekOffset || LEAP_S))],
  ["seekto", ({ seekTime }) => seekTime !== undefined && player.seek(seekTime)],
]);

function describe(session: MediaSession): void {
  const { title, artist, artwork } = player.entry ?? {};
  const pictures = artwork
    ? [
        { src: artwork, sizes: "300x300" },
        { src: artwork.replace("t300x300.", "t500x500."), sizes: "500x500" },
      ]
    : [];
  session.metadata = new MediaMetadata({ title, artist, artwork: pictures });
}

function place(session: MediaSession): void {
  const { duration, position, rate } = player;
  session.playbackState = player.isPlaying ? "playing" : "paused";
  if (!(duration > 0)) return;
  session.setPositionState({ duration, position: Math.min(position, duration), playbackRate: rate });
}

if ("mediaSession" in navigator) {
  const { mediaSession } = navigator;
  offerActions(mediaSession, ACTIONS);
  player.addEventListener("track", () => describe(mediaSession));
  for (const name of ["track", "state"]) player.addEventListener(name, () => place(mediaSession));
  if (player.entry) describe(mediaSession);
}
