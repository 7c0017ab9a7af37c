import { type Attached, type MediaSources, NOTHING, type Way, waysOf } from "./media-ways.ts";

/** Milliseconds without anything new after which a host is given up that has accepted and does not answer. */
const SILENCE_MS = 40_000;

/** Hears at which second no source is left, or that their host is silent. */
type OnFailed = (at: number, isSilent: boolean) => void;

/** Plays one track's sources in an element. A source that fails hands over to the next at the same position. */
export class Playback {
  readonly #audio: HTMLAudioElement;
  readonly #ways: Way[];
  readonly #onFailed: OnFailed;
  readonly #closing = new AbortController();
  #attached: Attached = NOTHING;
  #hasBegun = false;
  #isSilent = false;
  /** The listener's wish. The element cannot tell, because it pauses by itself when a source fails. */
  #isWanted = false;

  constructor(audio: HTMLAudioElement, sources: MediaSources, onFailed: OnFailed) {
    this.#audio = audio;
    this.#ways = waysOf(audio, sources);
    this.#onFailed = onFailed;
    // hls.js reports what it cannot load or append, but not what the element cannot decode or play. A source that
    // was given up meanwhile has left no error.
    const onError = () => audio.error && this.#advance();
    audio.addEventListener("error", onError, { signal: this.#closing.signal });
    // An encode that is slow or starts again may be waited for.
    if (sources.state !== "growing") this.#watchSilence();
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  get isLoading(): boolean {
    const { ended, readyState } = this.#audio;
    return this.#isWanted && !ended && readyState < HTMLMediaElement.HAVE_FUTURE_DATA;
  }

  /** Fetches nothing before the first call. */
  async play(): Promise<void> {
    this.#isWanted = true;
    this.#attached.deepen();
    return this.#hasBegun ? this.#sound() : this.prepare();
  }

  /** Loads the beginning, so that `play` sounds at once. */
  async prepare(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    await this.#advance();
  }

  pause(): void {
    this.#isWanted = false;
    this.#audio.pause();
  }

  /** The element has begun or stopped by itself, such as for a call. */
  follow(isWanted: boolean): void {
    this.#isWanted = isWanted;
  }

  seek(seconds: number): void {
    this.#audio.currentTime = seconds;
    if (this.#audio.readyState === HTMLMediaElement.HAVE_NOTHING) this.#attached.beginAt(seconds);
  }

  close(): void {
    this.#closing.abort();
    this.#attached.detach();
  }

  async #advance(): Promise<void> {
    const { signal } = this.#closing;
    const at = this.#audio.currentTime;
    this.#attached.detach();
    this.#attached = NOTHING;
    if (signal.aborted) return;
    const way = this.#ways.shift();
    if (!way) return this.#onFailed(at, this.#isSilent);
    this.#audio.currentTime = at;
    try {
      const attach = await way();
      // Meanwhile the element may play something else, or the listener may have sought.
      if (signal.aborted) return;
      const soughtTo = this.#audio.currentTime;
      const onFatal = () => void this.#advance();
      this.#attached = attach({ audio: this.#audio, at: soughtTo, plays: this.#isWanted, onFatal });
      this.#audio.currentTime = soughtTo;
    } catch {
      return this.#advance();
    }
    if (this.#isWanted) await this.#sound();
  }

  /** The browser may allow no sound yet, or the source fail; then `#advance` goes on. */
  #sound(): Promise<void> {
    return this.#audio.play().catch((error) => {
      if (error instanceof DOMException && error.name === "NotAllowedError") this.#isWanted = false;
    });
  }

  /** Gives up a host from which nothing came for long, though it was waited for. Browsers wait for ever. */
  #watchSilence(): void {
    const { signal } = this.#closing;
    let patience: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      clearTimeout(patience);
      if (!signal.aborted && this.isLoading) patience = setTimeout(() => this.#giveUp(), SILENCE_MS);
    };
    for (const name of ["play", "pause", "playing", "waiting", "canplay", "loadedmetadata", "progress"])
      this.#audio.addEventListener(name, again, { signal });
    signal.addEventListener("abort", again);
  }

  #giveUp(): void {
    this.#isSilent = true;
    this.#ways.length = 0;
    this.#advance();
  }
}
