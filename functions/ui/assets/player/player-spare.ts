import type { Engine } from "./engine.ts";
import { type Entry, keyOf } from "./player-queue.ts";
import { askFor, sourcesOf, type TrackSources } from "./player-sources.ts";

/** Seconds of a track after which the next one is prepared, and left when it is prepared at the latest. */
const SETTLED_S = 3;
const LAST_S = 20;

/** Milliseconds for which a track that the pointer met stays prepared. */
const HELD_MS = 10_000;

declare global {
  interface Navigator {
    /** In some browsers. */
    readonly connection?: { saveData: boolean };
  }
}

const isFrugal = () => Boolean(navigator.connection?.saveData);

/** A second engine, which holds the track that will probably be heard next. */
export class Spare {
  #engine: Engine<TrackSources>;
  /** Stays when the track fails, or each look would prepare it again, four times a second. */
  #prepared: { key: string; untilMs: number } | undefined;

  constructor(engine: Engine<TrackSources>) {
    this.#engine = engine;
  }

  get audio(): HTMLAudioElement {
    return this.#engine.audio;
  }

  /** The pointer or the keyboard is on the track's button. */
  foresee(entry: Entry): void {
    this.#prepare(entry, Date.now() + HELD_MS);
  }

  /** The queue leads there. */
  expect(entry: Entry, { playedS, leftS }: { playedS: number; leftS: number }): void {
    const isNear = leftS < LAST_S;
    if (!isNear && (isFrugal() || playedS < SETTLED_S)) return;
    const other = this.#prepared?.key === keyOf(entry) ? undefined : this.#prepared;
    if (other && Date.now() < other.untilMs && leftS > 2) return;
    this.#prepare(entry, 0);
  }

  /** In the course of a press, so that browsers play it later without another. */
  bless(): void {
    if (!this.#engine.isPrepared) this.audio.load();
  }

  /** Hands over the engine that holds this track, and keeps `instead`, emptied, in its place. */
  take(entry: Entry, instead: Engine<TrackSources>): Engine<TrackSources> | undefined {
    const engine = this.#engine;
    if (this.#prepared?.key !== keyOf(entry) || !engine.isPrepared) return undefined;
    this.#prepared = undefined;
    this.#engine = instead;
    instead.unload();
    instead.audio.remove();
    return engine;
  }

  async #prepare(entry: Entry, heldUntilMs: number): Promise<void> {
    const key = keyOf(entry);
    if (this.#prepared?.key === key) {
      this.#prepared.untilMs = Math.max(this.#prepared.untilMs, heldUntilMs);
      return;
    }
    if (this.#engine.isPrepared) this.#engine.unload();
    const mine = { key, untilMs: heldUntilMs };
    this.#prepared = mine;
    const sources = await sourcesOf(entry).catch(() => undefined);
    // A growing track's end is not known, and its playlist would be asked for again and again.
    if (mine !== this.#prepared || sources?.state !== "finished") return;
    this.#engine.load(askFor(entry), { sources });
    await this.#engine.prepare();
  }
}
