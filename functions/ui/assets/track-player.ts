import { clock, secondsOf } from "./clock.ts";
import { closest, find, findIfAny } from "./elements.ts";
import { openFollowing } from "./follow-playback.ts";
import { player } from "./player.ts";
import { entriesAround } from "./player-buttons.ts";
import type { Entry } from "./player-queue.ts";
import { followEncode, hearNews, keyOf, learn, sourcesOf, type TrackSources } from "./player-sources.ts";
import { openSeek } from "./seek.ts";
import { writePosition } from "./spoken-position.ts";
import { drawWaveform, LEVEL, loadSamples } from "./waveform.ts";
import { inTurns, showComments, type TimedComment, textAt } from "./waveform-comments.ts";

/** The track page's player: its waveform, comments and length. The sound is the site's one player's. */
class TrackPlayer extends HTMLElement {
  #view: View | undefined;

  connectedCallback() {
    this.#view = new View(this);
  }

  disconnectedCallback() {
    this.#view?.leave();
  }

  /** Seconds. */
  get position(): number {
    return this.#view?.position ?? 0;
  }

  /** Plays from a moment, such as a comment's. */
  playFrom(seconds: number): void {
    this.#view?.playFrom(seconds);
  }
}

/** The content of the element for as long as it is in a page. */
class View {
  readonly #root: HTMLElement;
  readonly #seek: HTMLElement;
  readonly #canvas: HTMLCanvasElement;
  readonly #button: HTMLElement;
  readonly #entry: Entry;
  readonly #comments: TimedComment[];
  readonly #turns: ReturnType<typeof inTurns>;
  readonly #leaving = new AbortController();
  #sources: TrackSources;
  #samples = LEVEL;
  /** Seconds at which this track begins if it is not the player's yet. */
  #startAt = 0;
  /** Tells the seconds at which the pointer holds the position, `undefined` otherwise. */
  #held: () => number | undefined = () => undefined;
  /** Shows the position for as long as it moves. */
  readonly #follow: () => void;
  /** The length for which the comments were shown. */
  #commentedLength: number | undefined;

  constructor(root: HTMLElement) {
    const { id, secret, sources = "", comments = "[]" } = root.dataset;
    this.#root = root;
    this.#seek = this.#part(".seek");
    this.#canvas = find(root, "canvas", HTMLCanvasElement);
    this.#button = this.#part("button.play");
    this.#sources = JSON.parse(sources);
    const { title, artist, artwork, page, artistPage, durationMs } = this.#sources;
    this.#entry = { id: Number(id), secret, title, artist, artwork, page, artistPage, durationMs };
    this.#comments = JSON.parse(comments);
    this.#turns = inTurns(this.#comments);
    this.#follow = openFollowing(
      {
        isPlaying: () => !this.#leaving.signal.aborted && this.#isMine && player.isPlaying,
        position: () => this.position,
        length: () => this.#length,
        rate: () => player.rate,
      },
      this.#canvas,
      () => this.#show(),
    );
    learn(this.#entry, this.#sources);
    this.#part(".controls").hidden = false;
    root.classList.add("ready");
    this.#listen(this.#leaving.signal);
    this.#describe();
    this.#showState();
    const at = momentOf(location);
    if (at !== undefined && !isRestoring) this.#moveTo(at);
  }

  leave(): void {
    this.#leaving.abort();
  }

  /** Seconds. */
  get position(): number {
    const at = this.#held() ?? (this.#isMine ? player.position : this.#startAt);
    return Math.min(Math.max(at, 0), this.#length);
  }

  playFrom(seconds: number): void {
    this.#moveTo(seconds);
    this.#play();
  }

  get #isMine(): boolean {
    return player.entry !== undefined && keyOf(player.entry) === keyOf(this.#entry);
  }

  get #length(): number {
    return this.#isMine ? player.duration : this.#sources.durationMs / 1000;
  }

  #part(selector: string): HTMLElement {
    return find(this.#root, selector, HTMLElement);
  }

  #listen(signal: AbortSignal): void {
    const [show, toggle] = [() => this.#show(), () => this.#toggle()];
    this.#button.addEventListener("click", toggle, { signal });
    for (const name of ["pointerover", "focus"])
      this.#button.addEventListener(name, () => player.foresee(this.#entry), { signal });
    this.#held = openSeek(
      this.#seek,
      {
        position: () => this.position,
        length: () => this.#length,
        moveTo: (seconds) => this.#moveTo(seconds),
        playFrom: (seconds) => this.playFrom(seconds),
        toggle,
        show,
      },
      signal,
    );
    for (const name of ["track", "state"]) player.addEventListener(name, () => this.#showState(), { signal });
    player.addEventListener("time", show, { signal });
    hearNews((key) => key === keyOf(this.#entry) && this.#refresh(), signal);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show, { signal });
    const resized = new ResizeObserver(show);
    resized.observe(this.#canvas);
    signal.addEventListener("abort", () => resized.disconnect());
  }

  /** The page's list of tracks follows. */
  #play(): unknown {
    if (this.#isMine) return player.play();
    const others = entriesAround(this.#root).filter((entry) => keyOf(entry) !== keyOf(this.#entry));
    return player.playList([this.#entry, ...others], 0, this.#startAt);
  }

  #toggle(): unknown {
    return this.#isMine ? player.toggle() : this.#play();
  }

  #moveTo(seconds: number): void {
    if (this.#isMine) player.seek(seconds);
    else this.#startAt = Math.min(Math.max(seconds, 0), this.#length);
    this.#show();
  }

  async #refresh(): Promise<void> {
    this.#sources = await sourcesOf(this.#entry);
    this.#describe();
  }

  /** Shows length, waveform and comments. */
  async #describe(): Promise<void> {
    const { state, waveform, durationMs, trackMs } = this.#sources;
    if (state === "growing") followEncode(this.#entry);
    else this.#root.querySelector(".growing")?.remove();
    this.#show();
    if (!waveform) return;
    const whole = await loadSamples(waveform);
    // Keeps only the audible part of a preview.
    this.#samples = whole.slice(0, Math.max(1, Math.round((whole.length * durationMs) / trackMs)));
    this.#show();
  }

  #showState(): void {
    const isMine = this.#isMine;
    const plays = isMine && (player.isPlaying || player.isLoading);
    this.#root.classList.toggle("playing", plays);
    this.#root.classList.toggle("loading", isMine && player.isLoading);
    this.#button.setAttribute("aria-label", plays ? "Pause" : "Play");
    this.#show();
    if (isMine && player.isPlaying) this.#follow();
  }

  #show(): void {
    const [at, length] = [this.position, this.#length];
    this.#part(".elapsed").textContent = clock(at);
    this.#part(".total").textContent = clock(length);
    this.#seek.setAttribute("aria-valuemax", String(Math.round(length)));
    this.#seek.setAttribute("aria-valuenow", String(Math.round(at)));
    writePosition(this.#seek, { at, length, isPlaying: this.#isMine && player.isPlaying });
    drawWaveform(this.#canvas, this.#samples, length ? at / length : 0);
    if (this.#commentedLength !== length)
      showComments(this.#part(".waveform-comments"), this.#comments, length);
    this.#commentedLength = length;
    const said = this.#part(".said");
    const text = textAt(this.#turns, at, this.#isMine);
    if (said.textContent !== text) said.textContent = text;
    said.hidden = text === "";
  }
}

/** `?t=` or `#t=` of an address, in seconds. */
const momentOf = ({ search, hash }: Location | HTMLAnchorElement) =>
  secondsOf(new URLSearchParams(search).get("t") ?? new URLSearchParams(hash.slice(1)).get("t"));

/** Back returns to a page, and a small form shows it anew. Neither leads to the moment in its address again. */
let isRestoring = false;
document.addEventListener("turbo:visit", ({ detail }) => {
  isRestoring = detail.action !== "advance";
});

/** A link to a moment of the track on this page, such as a comment's time, plays from there. */
document.addEventListener("click", (event) => {
  const link = closest(event.target, "a[href]", HTMLAnchorElement);
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const shown = findIfAny(document, "track-player", TrackPlayer);
  if (!shown || link.origin !== location.origin || link.pathname !== location.pathname) return;
  const at = momentOf(link);
  if (at === undefined) return;
  event.preventDefault();
  shown.playFrom(at);
});

customElements.define("track-player", TrackPlayer);
