import { beforeAll, beforeEach, vi } from "vitest";
import { asset } from "./assets.support.ts";

/** Longer than the scripts wait for anything that is not there. hls.js is not, and a busy machine says so late. */
export async function settled() {
  await asset("player/hls.light.min.js").catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 50));
}

export const SOURCES = { state: "finished", hls: "https://media.invalid/playlist.m3u8", durationMs: 7_000 };

export interface Player extends EventTarget {
  trouble: string;
  entry: { id: number };
  playList(entries: object[], at: number): Promise<void>;
  play(): Promise<void>;
  pause(): void;
}

export interface Sound {
  change(played: object): void;
  seek(seconds: number): void;
  position(): number;
  play(): Promise<void>;
  pause(): void;
  isPaused(): boolean;
}

/** Lets a file's tests import the players' scripts. Its worker ends with it, and so do these globals. */
export function asInBrowser(): void {
  beforeAll(() => {
    vi.stubGlobal("Audio", FakeAudio);
    vi.stubGlobal("HTMLMediaElement", { HAVE_NOTHING: 0, HAVE_CURRENT_DATA: 2, HAVE_FUTURE_DATA: 3 });
    vi.stubGlobal("document", {
      documentElement: { append() {}, dataset: {} },
      getElementById() {},
      querySelector: () => null,
    });
    vi.stubGlobal("location", { hash: "" });
    vi.stubGlobal("addEventListener", () => {});
  });
  // Tests share the players, and leave them playing.
  beforeEach(() => {
    for (const one of FakeAudio.made) one.paused = true;
  });
}

/** A browser's audio element, as far as the players' scripts use it. Its sources fail when a test says so. */
export class FakeAudio extends EventTarget {
  static failsAtOnce = false;
  /** Browsers without a sound device play a moment first. */
  static failsOnceBegun = false;
  static readonly made: FakeAudio[] = [];
  /** Every source that any of them was given. */
  static readonly loaded: string[] = [];
  paused = true;
  ended = false;
  muted = false;
  readyState = 0;
  currentTime = 0;
  seekable = { length: 0 };
  error: object | null = null;
  #source = "";

  constructor() {
    super();
    FakeAudio.made.push(this);
  }

  get src(): string {
    return this.#source;
  }

  set src(address: string) {
    FakeAudio.loaded.push(address);
    this.#source = address;
    this.error = null;
    this.paused = true;
    if (FakeAudio.failsAtOnce) queueMicrotask(() => this.fail());
    if (FakeAudio.failsOnceBegun) setTimeout(() => this.#begin(), 1);
  }

  #begin(): void {
    this.dispatchEvent(new Event("playing"));
    this.currentTime += 0.1;
    this.dispatchEvent(new Event("timeupdate"));
    this.fail();
  }

  fail(): void {
    this.error = {};
    this.paused = true;
    this.dispatchEvent(new Event("error"));
  }

  canPlayType = () => "maybe";
  hasAttribute = () => this.#source !== "";
  removeAttribute(): void {}
  remove(): void {}
  load(): void {}
  pause(): void {
    this.#become("pause");
  }
  async play(): Promise<void> {
    this.#become("play");
  }

  #become(name: "play" | "pause"): void {
    const paused = name === "pause";
    if (this.paused === paused) return;
    this.paused = paused;
    queueMicrotask(() => this.dispatchEvent(new Event(name)));
  }
}
