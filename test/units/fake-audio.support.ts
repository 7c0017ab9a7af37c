/** A browser's audio element, as far as the players' scripts use it. Its sources fail when a test says so. */
export class FakeAudio extends EventTarget {
  static failsAtOnce = false;
  /** Browsers without a sound device play a moment first. */
  static failsOnceBegun = false;
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

  get src(): string {
    return this.#source;
  }

  set src(address: string) {
    FakeAudio.loaded.push(address);
    this.#source = address;
    this.error = null;
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
    this.paused = true;
  }
  async play(): Promise<void> {
    this.paused = false;
  }
}
