/** The ways to play a track: by the browser's own HLS, by hls.js, and by the plain MP3. */

const HLS_TYPE = "application/vnd.apple.mpegurl";

/** Seconds that hls.js loads ahead, and of a track that is only prepared. */
const AHEAD_S = 30;
const AHEAD_UNPLAYED_S = 6;

export interface MediaSources {
  /** `growing` while the track plays that is still being encoded. */
  state: string;
  hls?: string;
  mp3?: string;
}

/** A source that is in the element. */
export interface Attached {
  /** Loads as far ahead as a track needs that plays. */
  deepen(): void;
  /** Tells hls.js, which asks the element only later, where the listener has sought. */
  beginAt(seconds: number): void;
  detach(): void;
}

export const NOTHING: Attached = { deepen() {}, beginAt() {}, detach() {} };

interface Attaching {
  audio: HTMLAudioElement;
  /** Seconds. */
  at: number;
  /** Whether it plays, or is only prepared. */
  plays: boolean;
  onFatal: () => void;
}

/** Loads what the way needs. Resolves to a function that attaches the source. */
export type Way = () => Promise<(attaching: Attaching) => Attached>;

/** The bundle is a plain script that defines one global name. */
const loadHlsJs = () => import("./hls.light.min.js");

/** Loads early what the playback will need, while a track's addresses are asked for. */
export function prepareToPlay(audio: HTMLAudioElement): void {
  if (!audio.canPlayType(HLS_TYPE)) loadHlsJs().catch(() => {});
}

/**
 * The best first. hls.js comes before the browser's own HLS while the track is being encoded, because not every
 * browser starts a growing playlist at its beginning.
 */
export function waysOf(audio: HTMLAudioElement, { state, hls, mp3 }: MediaSources): Way[] {
  const natively = hls && audio.canPlayType(HLS_TYPE) ? [plainly(hls)] : [];
  const byScript = hls ? [byHlsJs(hls)] : [];
  const byHls = state === "growing" ? [...byScript, ...natively] : [...natively, ...byScript];
  return mp3 ? [...byHls, plainly(mp3)] : byHls;
}

const plainly =
  (address: string): Way =>
  async () =>
  ({ audio }) => {
    audio.src = address;
    return NOTHING;
  };

const byHlsJs =
  (address: string): Way =>
  async () => {
    await loadHlsJs();
    const { Hls } = window;
    if (!Hls?.isSupported()) throw new Error("hls.js cannot play here");
    return ({ audio, at, plays, onFatal }) => {
      const hls = new Hls({
        // Its worker would load from a blob, which our policy forbids. No transmuxing is needed anyway.
        enableWorker: false,
        startPosition: at || -1,
        maxBufferLength: plays ? AHEAD_S : AHEAD_UNPLAYED_S,
        // A size in bytes would let it load ten minutes instead.
        maxBufferSize: 0,
      });
      hls.on(Hls.Events.ERROR, (_event, { fatal }) => fatal && onFatal());
      hls.loadSource(address);
      hls.attachMedia(audio);
      return {
        deepen() {
          hls.config.maxBufferLength = AHEAD_S;
        },
        beginAt(seconds) {
          hls.config.startPosition = seconds || -1;
          if (hls.levels.length > 0) hls.startLoad(seconds || -1);
        },
        detach: () => hls.destroy(),
      };
    };
  };
