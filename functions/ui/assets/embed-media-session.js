/** Tells the system what an embedded player plays, for its own controls. */
export function describe(sound, list, { play, pause, next, prev }) {
  if (!("mediaSession" in navigator)) return;
  const { mediaSession } = navigator;
  const track = sound.played().sound;
  const artwork = track?.artwork_url ? [{ src: track.artwork_url.replace("-large.", "-t500x500.") }] : [];
  mediaSession.metadata = new MediaMetadata({
    title: track?.title ?? "",
    artist: track?.metadata_artist ?? track?.user.username ?? "",
    artwork,
  });
  const actions = {
    play,
    pause,
    seekto: ({ seekTime }) => sound.seek(seekTime),
    nexttrack: list.beside(1) === undefined ? null : next,
    previoustrack: list.beside(-1) === undefined ? null : prev,
  };
  // Browsers refuse the actions that they do not know.
  for (const [name, action] of Object.entries(actions))
    try {
      mediaSession.setActionHandler(name, action);
    } catch {}
}
