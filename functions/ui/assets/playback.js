const HLS_TYPE = "application/vnd.apple.mpegurl";

/** Seconds that hls.js loads ahead, and of a track that is only prepared. */
const AHEAD_S = 30;
const AHEAD_UNPLAYED_S = 6;

/** Seconds that renewed addresses play before they may be renewed again. Some sources begin and fail at once. */
const RENEWED_FOR_S = 2;

/** Milliseconds without anything new after which a host is given up that has accepted and does not answer. */
const SILENCE_MS = 40_000;

/** Whether `audio` plays well since it began at `startS`. */
export const playsSince = (audio, startS) => Math.abs(audio.currentTime - startS) > RENEWED_FOR_S;

/** The bundle is a plain script that defines one global name. */
const loadHlsJs = () => import("./hls.light.min.js");

/** Loads early what the playback will need, while a track's addresses are asked for. */
export const prepareToPlay = (audio) => {
  if (!audio.canPlayType(HLS_TYPE)) loadHlsJs().catch(() => {});
};

/**
 * Plays by native HLS, otherwise hls.js, and last the plain MP3. hls.js comes first while the track is being
 * encoded, because not every browser's own HLS starts a growing playlist at its beginning. A failing source
 * hands over to the next at the same position. `onFailed` is called when none is left, or at once if their host
 * is silent, and is told which.
 */
export function openPlayback(audio, sources, onFailed) {
  const plainly = (address) => () => {
    audio.src = address;
    return () => {};
  };
  const byHlsJs = async () => {
    await loadHlsJs();
    const Hls = window.Hls;
    if (!Hls?.isSupported()) throw new Error("hls.js cannot play here");
    return (at) => {
      // Its worker would load from a blob, which our policy forbids. No transmuxing is needed anyway.
      const maxBufferLength = wanted ? AHEAD_S : AHEAD_UNPLAYED_S;
      // A size in bytes would let it load ten minutes instead.
      const limits = { maxBufferLength, maxBufferSize: 0 };
      const hls = new Hls({ enableWorker: false, startPosition: at || -1, ...limits });
      deepen = () => Object.assign(hls.config, { maxBufferLength: AHEAD_S });
      beginAt = (soughtTo) => {
        hls.config.startPosition = soughtTo || -1;
        if (hls.levels.length > 0) hls.startLoad(soughtTo || -1);
      };
      hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && advance());
      hls.loadSource(sources.hls);
      hls.attachMedia(audio);
      return () => {
        beginAt = () => {};
        hls.destroy();
      };
    };
  };
  const natively = audio.canPlayType(HLS_TYPE) && (() => plainly(sources.hls));
  const byHls = sources.state === "growing" ? [byHlsJs, natively] : [natively, byHlsJs];
  const ways = [...(sources.hls ? byHls : []), sources.mp3 && (() => plainly(sources.mp3))].filter(Boolean);

  let detach = () => {};
  let deepen = () => {};
  /** Tells hls.js, which asks the element only later, where the listener has sought. */
  let beginAt = () => {};
  let closed = false;
  let begun = false;
  let isSilent = false;
  /** The listener's wish. The element cannot tell, because it pauses by itself when a source fails. */
  let wanted = false;

  async function advance() {
    const at = audio.currentTime;
    detach();
    detach = () => {};
    const way = closed ? undefined : ways.shift();
    if (!way) return closed || onFailed(at, isSilent);
    audio.currentTime = at;
    try {
      const attach = await way();
      // Meanwhile the element may play something else, or the listener may have sought.
      if (closed) return;
      const soughtTo = audio.currentTime;
      detach = attach(soughtTo);
      audio.currentTime = soughtTo;
    } catch {
      return advance();
    }
    if (wanted) await play();
  }

  // hls.js reports what it cannot load or append, but not what the element cannot decode or play. A source that
  // was given up meanwhile has left no error.
  const onError = () => audio.error && advance();
  audio.addEventListener("error", onError);

  // Phones pause for a call, and may play on after it. A failing source is no pause, nor is an end.
  const onSystem = () => {
    if (audio.ended || audio.error || audio.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    wanted = !audio.paused;
  };
  for (const name of ["play", "pause"]) audio.addEventListener(name, onSystem);

  const isLoading = () => wanted && !audio.ended && audio.readyState < HTMLMediaElement.HAVE_FUTURE_DATA;

  // An encode that is slow or starts again may be waited for.
  const unwatch =
    sources.state === "growing"
      ? () => {}
      : watchSilence(audio, isLoading, () => {
          isSilent = true;
          ways.length = 0;
          advance();
        });

  // Rejects if the browser allows no sound yet, or the source fails; then `advance` goes on.
  const play = () =>
    audio.play().catch(({ name }) => {
      if (name === "NotAllowedError") wanted = false;
    });

  return {
    /** Fetches nothing before the first call. */
    async play() {
      wanted = true;
      deepen();
      if (begun) return play();
      begun = true;
      return advance();
    },
    /** Loads the beginning, so that `play` sounds at once. */
    async prepare() {
      if (begun) return;
      begun = true;
      return advance();
    },
    pause() {
      wanted = false;
      audio.pause();
    },
    seek(seconds) {
      audio.currentTime = seconds;
      if (audio.readyState === HTMLMediaElement.HAVE_NOTHING) beginAt(seconds);
    },
    isWanted: () => wanted,
    isLoading,
    close() {
      closed = true;
      audio.removeEventListener("error", onError);
      for (const name of ["play", "pause"]) audio.removeEventListener(name, onSystem);
      unwatch();
      detach();
    },
  };
}

/** Calls `onSilent` when `audio` has loaded for long and got nothing. Browsers wait for ever. */
function watchSilence(audio, isLoading, onSilent) {
  const watched = new AbortController();
  let patience;
  const again = () => {
    clearTimeout(patience);
    if (!watched.signal.aborted && isLoading()) patience = setTimeout(onSilent, SILENCE_MS);
  };
  for (const name of ["play", "pause", "playing", "waiting", "canplay", "loadedmetadata", "progress"])
    audio.addEventListener(name, again, { signal: watched.signal });
  watched.signal.addEventListener("abort", again);
  return () => watched.abort();
}
