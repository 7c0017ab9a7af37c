/** Tells the system what an embedded player plays, for its own controls. */
export function describe(sound, list, { play, pause, next, prev }) {
  if (!("mediaSession" in navigator)) return;
  const { mediaSession } = navigator;
  const track = sound.played().sound;
  const artwork = track?.artwork_url ? [{ src: track.artwork_url.replace("-large.", "-t500x500.") }] : [];
  mediaSession.metadata = new MediaMetadata({
    title: track?.title ?? "",
    artist: track?.metadata_artist ?? "",
    artwork,
  });
  mediaSession.setActionHandler("play", play);
  mediaSession.setActionHandler("pause", pause);
  mediaSession.setActionHandler("seekto", ({ seekTime }) => sound.seek(seekTime));
  mediaSession.setActionHandler("nexttrack", list.beside(1) === undefined ? null : next);
  mediaSession.setActionHandler("previoustrack", list.beside(-1) === undefined ? null : prev);
}
