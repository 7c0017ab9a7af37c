const HLS_TYPE = "application/vnd.apple.mpegurl";

/**
 * Gives an audio element its sound: HLS by the browser itself, else by hls.js, and last the plain MP3. Each way that
 * fails hands over to the next at the same position; `onFailed` is told when none is left.
 */
export function openPlayback(audio, sources, onFailed) {
  const plainly = (address) => {
    audio.src = address;
    return () => {};
  };
  const byHlsJs = async (at) => {
    // Its bundle is a plain script, which leaves its one name behind when it is imported.
    await import("./hls.light.min.js");
    const Hls = window.Hls;
    if (!Hls?.isSupported()) throw new Error("hls.js cannot play here");
    // Its worker would come from a blob, which our policy forbids; packaging is not to be done here anyway.
    const hls = new Hls({ enableWorker: false, startPosition: at || -1 });
    hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && advance());
    hls.loadSource(sources.hls);
    hls.attachMedia(audio);
    return () => hls.destroy();
  };
  const ways = [
    sources.hls && audio.canPlayType(HLS_TYPE) && (() => plainly(sources.hls)),
    sources.hls && byHlsJs,
    sources.mp3 && (() => plainly(sources.mp3)),
  ].filter(Boolean);

  let detach = () => {};
  let closed = false;
  let begun = false;
  /** What the listener asked for. The element does not tell: it pauses by itself when a source fails. */
  let wanted = false;

  async function advance() {
    const at = audio.currentTime;
    detach();
    detach = () => {};
    const way = closed ? undefined : ways.shift();
    if (!way) return closed || onFailed(at);
    try {
      detach = await way(at);
    } catch {
      return advance();
    }
    audio.currentTime = at;
    if (wanted) await play();
  }

  const onError = () => {
    // hls.js tells of its own errors.
    if (audio.error && !audio.src.startsWith("blob:")) advance();
  };
  audio.addEventListener("error", onError);

  // Refused where the browser allows no sound yet, and where the source fails: then `advance` goes on.
  const play = () => audio.play().catch(() => {});

  return {
    /** Nothing is fetched before the first time. */
    async play() {
      wanted = true;
      if (begun) return play();
      begun = true;
      return advance();
    },
    pause() {
      wanted = false;
      audio.pause();
    },
    isLoading: () => wanted && !audio.ended && audio.readyState < HTMLMediaElement.HAVE_FUTURE_DATA,
    close() {
      closed = true;
      audio.removeEventListener("error", onError);
      detach();
    },
  };
}
