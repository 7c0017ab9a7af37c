import { offerActions } from "../player/media-actions.ts";
import type { Played } from "./embed-sound.ts";

interface Playing {
  played(): Pick<Played, "sound"> | undefined;
  seek(seconds: number): void;
}

interface Actions {
  play(): void;
  pause(): void;
  next(): void;
  prev(): void;
}

/** Tells the system what an embedded player plays, for its own controls. */
export function describe(
  sound: Playing,
  list: { beside(step: number): number | undefined },
  { play, pause, next, prev }: Actions,
): void {
  if (!("mediaSession" in navigator)) return;
  const { mediaSession } = navigator;
  const track = sound.played()?.sound;
  const artwork = track?.artwork_url ? [{ src: track.artwork_url.replace("-large.", "-t500x500.") }] : [];
  mediaSession.metadata = new MediaMetadata({
    title: track?.title ?? "",
    artist: track?.metadata_artist ?? track?.user.username ?? "",
    artwork,
  });
  const actions = new Map<MediaSessionAction, MediaSessionActionHandler | null>([
    ["play", play],
    ["pause", pause],
    ["seekto", ({ seekTime }) => seekTime !== undefined && sound.seek(seekTime)],
    ["nexttrack", list.beside(1) === undefined ? null : next],
    ["previoustrack", list.beside(-1) === undefined ? null : prev],
  ]);
  offerActions(mediaSession, actions);
}
