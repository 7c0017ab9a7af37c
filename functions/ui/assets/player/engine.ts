import { type MediaSources, prepareToPlay } from "./media-ways.ts";
import { Playback } from "./playback.ts";
import { askPatiently } from "./player-patience.ts";
import { reasonOf, statusOf, UNPLAYED, UNREACHED } from "./player-trouble.ts";

/** Seconds that renewed addresses play before they may be renewed again. Some sources begin and fail at once. */
const RENEWED_FOR_S = 2;

/** Seconds of the longest packet, by which lengths may differ. */
const PACKET_S = 0.03;

export interface Sources extends MediaSources {
  /** Milliseconds that can be heard. */
  durationMs: number;
  /** Why the track cannot be played. */
  trouble?: string;
}

/** Asks for a track's sources, for new addresses if `isFresh`. Rejects with the status of a refusal, if any. */
export type Ask<S> = (isFresh: boolean) => Promise<S>;

/** The owner of an engine hears what happens. */
export interface Hearing {
  /** Whether it plays, loads or is wanted may have changed. */
  state(): void;
  /** Position or length may have changed. */
  time(): void;
  /** More is known about the track. */
  sources(): void;
  ended(): void;
  /** Nothing plays, for the reason `why`. `isOver` if the service has refused a track that was still to play. */
  trouble(why: string, isOver: boolean): void;
  /** Nobody answers yet. */
  unanswered?(): void;
}

/** A question for sources that is under way. */
interface Turn {
  /** The listener's wish. */
  isWanted: boolean;
}

/** Plays one track after the other in an element: asks for sources, and anew when their addresses expire. */
export class Engine<S extends Sources> {
  readonly audio: HTMLAudioElement;
  readonly #hearing: Hearing;
  #ask: Ask<S> | undefined;
  #sources: S | undefined;
  #playback: Playback | undefined;
  #turn: Turn | undefined;
  #knownMs = 0;
  /** Seconds at which playback begins. */
  #startAt = 0;
  /** The known addresses have failed. */
  #isStale = false;
  /** The addresses that play are new, because others have failed. */
  #isRenewed = false;
  /** Playback began while the track was being encoded. */
  #grows = false;
  /** Only the beginning is loaded, and nobody has asked to play it. */
  #isAhead = false;
  /** The beginning was loaded ahead, and its play is still to be reported. */
  #isUncounted = false;

  constructor(audio: HTMLAudioElement, hearing: Hearing) {
    this.audio = audio;
    this.#hearing = hearing;
    const on = (names: string[], listener: () => void) => {
      for (const name of names) audio.addEventListener(name, listener);
    };
    on(["play", "pause"], () => this.#followSystem());
    on(["playing"], () => {
      this.#countPlay();
      import("./reached.ts").then(({ followReached }) => followReached(this)).catch(() => {});
    });
    on(["ended"], () => this.#end());
    on(["playing", "waiting", "ended", "seeked", "canplay"], () => hearing.state());
    on(["timeupdate"], () => {
      if (Math.abs(audio.currentTime - this.#startAt) > RENEWED_FOR_S) this.#isRenewed = false;
    });
    on(["timeupdate", "durationchange", "progress"], () => hearing.time());
  }

  get sources(): S | undefined {
    return this.#sources;
  }

  /** The listener's wish. */
  get isWanted(): boolean {
    return this.#turn?.isWanted ?? this.#playback?.isWanted ?? false;
  }

  get isAsking(): boolean {
    return this.#turn?.isWanted ?? false;
  }

  get isLoading(): boolean {
    return this.isAsking || (this.#playback?.isLoading ?? false);
  }

  get isPrepared(): boolean {
    return this.#isAhead;
  }

  /** Seconds. */
  get position(): number {
    return this.#playback ? this.audio.currentTime : this.#startAt;
  }

  /**
   * Seconds. While a track is being encoded, its length is what can be played, until the playlist's end has come
   * too. Some browsers call its duration infinite.
   */
  get duration(): number {
    const whole = (this.#sources?.durationMs ?? this.#knownMs) / 1000;
    if (!this.#grows) return whole;
    const { duration, seekable } = this.audio;
    const last = seekable.length - 1;
    const ready = Number.isFinite(duration) ? duration : last < 0 ? 0 : seekable.end(last);
    return this.#sources?.state === "growing" || ready < whole - PACKET_S ? ready : whole;
  }

  /** Takes another track, and asks for nothing before `play`. `knownMs` is its length, if no sources tell it. */
  load(
    ask: Ask<S>,
    { sources, knownMs = 0, startAt = 0 }: { sources?: S; knownMs?: number; startAt?: number },
  ) {
    this.unload();
    this.#ask = ask;
    this.#sources = sources;
    this.#knownMs = knownMs;
    this.#startAt = startAt;
  }

  /** Leaves the track. `load` of the element also lets browsers play it later without another press. */
  unload(): void {
    this.audio.pause();
    this.#closePlayback();
    this.#turn = undefined;
    this.#sources = undefined;
    this.#grows = false;
    this.#isStale = false;
    this.#isRenewed = false;
    this.audio.removeAttribute("src");
    this.audio.load();
  }

  /** Takes what is known about the track meanwhile. */
  update(sources: S): void {
    this.#sources = sources;
    this.#hearing.sources();
  }

  /** Loads the beginning of the track whose sources are known, so that `play` sounds at once. That is no play. */
  async prepare(): Promise<void> {
    if (!this.#sources?.hls) return;
    this.#isAhead = true;
    await this.#open({ ...this.#sources, hls: `${this.#sources.hls}?ahead=true`, mp3: undefined }).prepare();
  }

  /** Asks for the sources if necessary. After a pause, another press asks anew. */
  async play(): Promise<void> {
    if (this.isAsking) return;
    this.#isUncounted ||= this.#isAhead;
    this.#isAhead = false;
    if (this.#playback) return this.#start(this.#playback);
    // Nothing may have loaded it yet, and Safari soon forgets the press.
    if (!this.audio.hasAttribute("src")) this.audio.load();
    prepareToPlay(this.audio);
    await this.#begin({ isWanted: true });
  }

  pause(): void {
    if (this.#turn) this.#turn.isWanted = false;
    this.#playback?.pause();
    this.#hearing.state();
  }

  seek(seconds: number): void {
    const to = Math.min(Math.max(seconds, 0), this.duration || 0);
    if (this.#playback) this.#playback.seek(to);
    else this.#startAt = to;
    this.#hearing.time();
  }

  /** Asks for the sources, and plays them if they are still wanted. */
  async #begin(turn: Turn): Promise<void> {
    const [ask, isRenewal, isAsked] = [this.#ask, this.#isStale, turn.isWanted];
    if (!ask) return;
    this.#turn = turn;
    this.#hearing.state();
    const answer = await askPatiently(
      () => ask(isRenewal),
      () => this.#isAwaited(turn),
    ).catch((error: unknown) => ({ error }));
    if (this.#turn !== turn) return;
    this.#turn = undefined;
    if ("error" in answer) {
      // During a pause nobody has asked. The next press asks anew.
      if (!isAsked && !turn.isWanted) return this.#hearing.state();
      return this.#fail(reasonOf(answer.error), turn.isWanted && statusOf(answer.error) === 404);
    }
    this.update(answer);
    const { hls, mp3, trouble, state } = answer;
    if (!hls && !mp3) return this.#fail(trouble || UNPLAYED, turn.isWanted);
    this.#isStale = false;
    // Those that came during a pause may have expired when it ends.
    this.#isRenewed = isRenewal && turn.isWanted;
    if (!turn.isWanted) return this.#hearing.state();
    this.audio.currentTime = this.#startAt;
    this.#grows = state === "growing";
    await this.#start(this.#open(answer));
  }

  /** Says that nobody answers, unless the track is not wanted any more. */
  #isAwaited(turn: Turn): boolean {
    const isAwaited = this.#turn === turn && turn.isWanted;
    if (isAwaited) this.#hearing.unanswered?.();
    return isAwaited;
  }

  #open(sources: S): Playback {
    const opened: Playback = new Playback(this.audio, sources, (at, isSilent) => {
      if (this.#playback === opened) this.#renew(at, isSilent, opened.isWanted);
    });
    this.#playback = opened;
    return opened;
  }

  async #start(playback: Playback): Promise<void> {
    const started = playback.play();
    this.#hearing.state();
    await started;
    this.#hearing.state();
  }

  /** Signed addresses expire, and the service has new ones. If those fail too, nothing can be played. */
  #renew(at: number, isSilent: boolean, isWanted: boolean): unknown {
    if (this.#isAhead) return this.unload();
    this.#closePlayback();
    this.#startAt = at;
    this.#isStale = true;
    if (!this.#isRenewed) return this.#begin({ isWanted });
    this.#isRenewed = false;
    return isWanted ? this.#fail(isSilent ? UNREACHED : UNPLAYED, false) : this.#hearing.state();
  }

  /** A host that was silent may answer after all. */
  #fail(why: string, isOver: boolean): void {
    this.audio.pause();
    this.#hearing.trouble(why, isOver);
  }

  #closePlayback(): void {
    this.#playback?.close();
    this.#playback = undefined;
    this.#isAhead = false;
    this.#isUncounted = false;
  }

  /** Phones pause for a call, and may play on after it. A failing source is no pause, nor is an end. */
  #followSystem(): void {
    const { paused, ended, error, readyState } = this.audio;
    if (paused && (ended || error || readyState < HTMLMediaElement.HAVE_CURRENT_DATA)) return;
    this.#playback?.follow(!paused);
    this.#hearing.state();
  }

  /** By the standard, a paused track ends as well when the listener moves there. */
  #end(): void {
    if (!this.#playback?.isWanted) return;
    this.#playback.follow(false);
    this.#hearing.ended();
  }

  /** The first byte of a stream counts as a play. */
  #countPlay(): void {
    const hls = this.#sources?.hls;
    if (!this.#isUncounted || !hls) return;
    this.#isUncounted = false;
    fetch(new URL("160/0.m4s", hls), { headers: { Range: "bytes=0-0" } }).catch(() => {});
  }
}
