import { readChoice } from "../choices.ts";
import { Engine, type Sources } from "../player/engine.ts";
import { EVEN_LEVEL, gainOf } from "../player/loudness.ts";
import type { MediaSources } from "../player/media-ways.ts";
import { untilEncoded } from "../player/player-patience.ts";
import { UNREACHED } from "../player/player-trouble.ts";
import type { TimedComment } from "../player/waveform-comments.ts";

/** A track as the API represents it, as far as the player reads it. */
export interface Sound {
  id: number;
  kind: string;
  title: string;
  state: string;
  /** Milliseconds of the whole track. */
  duration: number;
  waveform_url?: string | null;
  artwork_url?: string | null;
  metadata_artist?: string | null;
  user: { username: string };
  loudness?: { integrated: number } | null;
}

/** The track that the player plays, as its page describes it. */
export interface Played {
  /** Its place in the list. */
  index: number;
  sound: Sound | null;
  /** Why it cannot be played. */
  trouble?: string;
  sources?: MediaSources;
  /** Milliseconds that can be heard. */
  durationMs: number;
  comments: TimedComment[];
}

export type SoundEvent =
  | ("play" | "pause" | "ended" | "seek" | "playProgress" | "loadProgress")
  /** With its reason. */
  | "error"
  /** Anything has changed. */
  | "state";

interface Held extends Sources {
  played: Played;
}

interface Page {
  tell(event: SoundEvent, reason?: string): void;
  /** Asks for the present track anew. */
  renew(): Promise<Played>;
}

/** Plays one track after the other in `audio`, and tells the page. */
export class EmbeddedSound {
  readonly #page: Page;
  readonly #audio: HTMLAudioElement;
  readonly #engine: Engine<Held>;
  /** Whether the last that was told is "play". */
  #sounds = false;
  #isSeeking = false;
  /** Whether another track is on its way, and is to play. This one stays silent meanwhile. */
  #isLeaving = false;
  #isNextWanted = false;
  #volume = 1;

  constructor(audio: HTMLAudioElement, page: Page) {
    this.#page = page;
    this.#audio = audio;
    this.#engine = new Engine(audio, {
      state: () => this.#hearState(),
      time: () => page.tell("state"),
      sources: () => {
        this.#applyVolume();
        page.tell("state");
      },
      ended: () => this.#hearEnd(),
      trouble: (why) => this.#hearTrouble(why),
    });
    const on = (name: string, listener: () => void) => audio.addEventListener(name, listener);
    on("playing", () => {
      if (!this.#sounds) page.tell("play");
      this.#sounds = true;
    });
    on("seeked", () => this.#hearSeek());
    on("timeupdate", () => {
      if (this.#sounds && !audio.paused) page.tell("playProgress");
    });
    on("progress", () => page.tell("loadProgress"));
  }

  async play(): Promise<void> {
    if (this.#isLeaving) {
      this.#isNextWanted = true;
      return this.#page.tell("state");
    }
    const played = this.played();
    if (!played?.sources) return this.#page.tell("error", played?.trouble ?? UNREACHED);
    await this.#engine.play();
  }

  pause(): void {
    this.#isNextWanted = false;
    this.#engine.pause();
  }

  /** Pauses until `change` brings the other track, or `stay` returns to this one. */
  leave(): void {
    this.#isLeaving = true;
    this.#isNextWanted = true;
    this.#engine.pause();
  }

  stay(): void {
    this.#isLeaving = false;
    this.#page.tell("state");
  }

  /** Takes another track. It fetches nothing of it before it plays. */
  change(next: Played): void {
    this.#isLeaving = false;
    this.#isSeeking = false;
    const present = () => this.played() ?? next;
    const ask = async (isFresh: boolean) => heldOf(isFresh ? await this.#page.renew() : present(), present());
    this.#engine.load(ask, { sources: heldOf(next, next) });
    this.#applyVolume();
    this.#hearState();
    if (next.sources?.state === "growing") this.#followEncode(next);
  }

  seek(seconds: number): void {
    this.#isSeeking = true;
    this.#engine.seek(seconds);
    // Nothing is loaded yet: playback will begin there.
    if (this.#audio.readyState === HTMLMediaElement.HAVE_NOTHING) this.#hearSeek();
  }

  setVolume(factor: number): void {
    this.#volume = Math.min(Math.max(factor, 0), 1);
    this.#applyVolume();
  }

  played(): Played | undefined {
    return this.#engine.sources?.played;
  }
  volume(): number {
    return this.#volume;
  }
  /** Seconds, like the position. */
  duration(): number {
    return this.#engine.duration;
  }
  position(): number {
    return Math.min(this.#engine.position, this.duration());
  }
  /** The part that is loaded, from 0 to 1. */
  loaded(): number {
    const { buffered } = this.#audio;
    const end = buffered.length ? buffered.end(buffered.length - 1) : 0;
    return this.duration() ? Math.min(1, end / this.duration()) : 0;
  }
  isPaused(): boolean {
    return this.#isLeaving ? !this.#isNextWanted : !this.#engine.isWanted;
  }
  isLoading(): boolean {
    return this.#isLeaving || this.#engine.isLoading;
  }

  #applyVolume(): void {
    const lufs = this.played()?.sound?.loudness?.integrated;
    this.#audio.volume = this.#volume * (lufs !== undefined && readChoice(EVEN_LEVEL) ? gainOf(lufs) : 1);
  }

  /** Adds what the end of the encode brings: length and waveform. Playback goes on meanwhile. */
  async #followEncode(growing: Played): Promise<void> {
    const encoded = await untilEncoded(
      async () => heldOf(await this.#page.renew(), growing),
      () => this.played()?.sound?.id === growing.sound?.id && this.played()?.sources?.state === "growing",
    );
    if (encoded && encoded.state !== "failed") this.#engine.update(encoded);
  }

  #hearState(): void {
    if (this.#sounds && !this.#engine.isWanted) {
      this.#sounds = false;
      this.#page.tell("pause");
    }
    this.#page.tell("state");
  }

  #hearSeek(): void {
    if (this.#isSeeking) this.#page.tell("seek");
    this.#isSeeking = false;
    this.#page.tell("state");
  }

  #hearEnd(): void {
    if (this.#isLeaving) return;
    this.#sounds = false;
    this.#page.tell("playProgress");
    this.#page.tell("ended");
  }

  #hearTrouble(why: string): void {
    if (this.#isLeaving) return;
    this.#hearState();
    this.#page.tell("error", why);
  }
}

/** Reads what `page` says of a track. If nothing of it plays any more, it stays shown as it was. */
function heldOf(page: Played, shown: Played): Held {
  const { sources, sound, trouble, durationMs } = page;
  if (sources) return { ...sources, durationMs, played: page };
  const state = sound?.state === "failed" ? "failed" : "processing";
  return { state, trouble, durationMs: shown.durationMs, played: shown };
}
