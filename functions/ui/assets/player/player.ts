import { Engine } from "./engine.ts";
import {
  EMPTY,
  type Entry,
  keyOf,
  nextOf,
  type Origin,
  previousOf,
  type Queue,
  replaced,
  restore,
} from "./player-queue.ts";
import { askFor, followEncode, hearNews, sourcesOf, type TrackSources } from "./player-sources.ts";
import { Spare } from "./player-spare.ts";
import { UNREACHED } from "./player-trouble.ts";

/** Seconds after which "previous" returns to the track's start. */
const RESTART_AFTER_S = 4;

/**
 * The site's one player: a queue and the track that is loaded. Dispatches "track" when another is loaded or more
 * is known about it, "queue", "state" and "time", and "stopped" when nothing was to follow the track.
 */
class Player extends EventTarget {
  #queue = EMPTY;
  #entry: Entry | undefined;
  #trouble = "";
  #rate = 1;
  #volume = 1;
  /** Whether nothing follows the track that plays. */
  stopsAtEnd = false;
  /** How many entries may still follow one that cannot be played. */
  #tries = 0;
  #engine = this.#makeEngine();
  readonly #spare = new Spare(this.#makeEngine());

  constructor() {
    super();
    // Beside the body, because swapped pages would stop it, and Turbo's clones of it would load.
    document.documentElement.append(this.#engine.audio);
    hearNews((key) => this.#learn(key));
    this.#restore();
  }

  get queue(): Queue {
    return this.#queue;
  }
  get entry(): Entry | undefined {
    return this.#entry;
  }
  get trouble(): string {
    return this.#trouble;
  }
  get sources(): TrackSources | undefined {
    return this.#engine.sources;
  }
  get rate(): number {
    return this.#rate;
  }
  get volume(): number {
    return this.#volume;
  }
  get isMuted(): boolean {
    return this.#engine.audio.muted;
  }
  get isPlaying(): boolean {
    return !this.#engine.audio.paused && !this.hasEnded;
  }
  get hasEnded(): boolean {
    return this.#engine.audio.ended;
  }
  get isLoading(): boolean {
    return this.#engine.isLoading;
  }
  /** Seconds. */
  get position(): number {
    return this.#engine.position;
  }
  get duration(): number {
    return this.#engine.duration;
  }

  async play(): Promise<void> {
    if (!this.#entry || this.#engine.isAsking) return;
    this.#trouble = "";
    await this.#engine.play();
  }

  pause(): void {
    if (this.#entry) this.#engine.pause();
  }

  toggle(): unknown {
    return this.isPlaying || this.isLoading ? this.pause() : this.play();
  }

  /** Replaces the queue and plays it from one of its entries. */
  playList(entries: Entry[], at: number, startAt = 0, origin: Origin = {}): Promise<void> | undefined {
    this.#queue = replaced(this.#queue, entries, at, origin);
    return this.#go(this.#queue.at, startAt);
  }

  /** In the course of a press whose list is still on its way, so that browsers play it later without another. */
  bless(): void {
    if (!this.#engine.audio.hasAttribute("src")) this.#engine.audio.load();
    this.#spare.bless();
  }

  /** Changes the queue around the current entry, which stays. */
  arrange(change: (queue: Queue) => Queue): void {
    this.#queue = change(this.#queue);
    this.#tell("queue");
  }

  jump(at: number): unknown {
    return at === this.#queue.at ? this.play() : this.#go(at);
  }

  next(): void {
    const at = nextOf(this.#queue, true);
    if (at !== undefined) this.#go(at);
  }

  previous(): void {
    const at = previousOf(this.#queue);
    if (at === undefined || this.position > RESTART_AFTER_S) this.seek(0);
    else this.#go(at);
  }

  /** Prepares a track that will probably be wanted. */
  foresee(entry: Entry | undefined): void {
    if (entry && keyOf(entry) !== (this.#entry && keyOf(this.#entry))) this.#spare.foresee(entry);
  }

  foreseeNext(): void {
    this.foresee(this.#queue.entries[nextOf(this.#queue, true) ?? -1]);
  }

  seek(seconds: number): void {
    if (this.#entry) this.#engine.seek(seconds);
  }

  setRate(to: number): void {
    this.#rate = to;
    this.#applyRate();
    this.#tell("state");
  }

  /** `heard` is what the level makes of the listener's volume. */
  setVolume(to: number, heard: number): void {
    this.#volume = to;
    this.#engine.audio.volume = heard;
  }

  toggleMute(): void {
    this.#mute(!this.isMuted);
    this.#tell("state");
  }

  #tell(name: "track" | "queue" | "state" | "stopped" | "time"): void {
    this.dispatchEvent(new Event(name));
  }

  /** Heard while it is the one that plays. */
  #makeEngine(): Engine<TrackSources> {
    const audio = new Audio();
    audio.preload = "auto";
    const heard = (act: () => void) => () => {
      if (engine === this.#engine) act();
    };
    const engine: Engine<TrackSources> = new Engine(audio, {
      state: heard(() => this.#tell("state")),
      time: heard(() => this.#showTime()),
      sources: heard(() => {
        this.#trouble = "";
        this.#describe();
      }),
      ended: heard(() => this.#end()),
      trouble: (why, isOver) => heard(() => this.#refuse(why, isOver))(),
      unanswered: heard(() => {
        audio.pause();
        this.#fail(UNREACHED);
      }),
    });
    return engine;
  }

  #fail(why: string): void {
    this.#trouble = why;
    this.#tell("state");
  }

  /** A track that cannot be played is passed over if the queue led to it. */
  #refuse(why: string, isOver: boolean): void {
    this.#fail(why);
    if (isOver && this.#tries > 0 && this.#queue.repeat !== "one") this.#goOn(this.#tries);
  }

  /** Sounds from an element that was prepared, if it was this track. */
  #load(entry: Entry, startAt: number): void {
    this.#trouble = "";
    this.#tries = 0;
    this.#entry = entry;
    const prepared = startAt === 0 ? this.#spare.take(entry, this.#engine) : undefined;
    if (prepared) {
      this.#engine = prepared;
      document.documentElement.append(prepared.audio);
    } else {
      this.#hold(entry, startAt);
      this.#spare.bless();
    }
    this.#applyRate();
    this.#describe();
  }

  #hold(entry: Entry, startAt: number): void {
    this.#engine.load(askFor(entry), { startAt, knownMs: entry.durationMs });
  }

  /** Tells the track with what is known about it. */
  #describe(): void {
    const { sources } = this.#engine;
    if (sources && this.#entry) {
      const { title, artist, artwork, page, artistPage, durationMs, lufs, liked } = sources;
      Object.assign(this.#entry, { title, artist, artwork, page, artistPage, durationMs, lufs, liked });
      if (sources.state === "growing") followEncode(this.#entry);
    }
    this.#tell("track");
  }

  /** The encode of this track has ended. */
  async #learn(key: string): Promise<void> {
    const entry = this.#entry;
    if (!entry || keyOf(entry) !== key) return;
    const sources = await sourcesOf(entry);
    if (entry === this.#entry) this.#engine.update(sources);
  }

  #go(at: number, startAt = 0): Promise<void> | undefined {
    const entry = this.#queue.entries[at];
    if (!entry) return;
    this.#queue = { ...this.#queue, at };
    this.#load(entry, startAt);
    this.#tell("queue");
    return this.play();
  }

  #end(): void {
    const stops = this.stopsAtEnd;
    this.stopsAtEnd = false;
    if (!stops) this.#goOn();
    else for (const name of ["state", "stopped"] as const) this.#tell(name);
  }

  /** The track has ended. `tries` are the entries that may follow it. */
  #goOn(tries = this.#queue.entries.length): void {
    const at = nextOf(this.#queue, false);
    if (at === undefined) this.#tell("state");
    else if (at === this.#queue.at) {
      this.seek(0);
      this.play();
    } else {
      this.#go(at);
      this.#tries = tries - 1;
    }
  }

  #showTime(): void {
    this.#tell("time");
    if (!this.isPlaying) return;
    const at = nextOf(this.#queue, false);
    const next = at === undefined || at === this.#queue.at ? undefined : this.#queue.entries[at];
    if (next) this.#spare.expect(next, { playedS: this.position, leftS: this.duration - this.position });
  }

  #mute(to: boolean): void {
    for (const { audio } of [this.#engine, this.#spare]) audio.muted = to;
  }

  #applyRate(): void {
    this.#engine.audio.defaultPlaybackRate = this.#rate;
    this.#engine.audio.playbackRate = this.#rate;
  }

  /** Takes up, paused, what this tab played before it was loaded anew. */
  #restore(): void {
    const stored = restore();
    const entry = stored?.queue.entries[stored.queue.at];
    if (!stored || !entry) return;
    this.#queue = stored.queue;
    this.#rate = stored.rate;
    this.#volume = stored.volume;
    this.#entry = entry;
    this.#hold(entry, stored.position);
    this.#mute(stored.isMuted);
    this.#applyRate();
  }
}

export const player = new Player();
