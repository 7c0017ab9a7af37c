import { secondsOf } from "../clock.ts";
import { closest, find, findIfAny } from "../elements.ts";
import type { PicturedComment } from "./moment-entry.ts";
import { player } from "./player.ts";
import { entriesAround } from "./player-buttons.ts";
import { type Entry, keyOf } from "./player-queue.ts";
import { followEncode, hearNews, learn, sourcesOf, type TrackSources } from "./player-sources.ts";
import type { Moments } from "./waveform-moments.ts";
import { openWaveform } from "./waveform-view.ts";

/** The track page's player. The sound is the site's one player's. */
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
  readonly #button: HTMLElement;
  readonly #entry: Entry;
  readonly #comments: PicturedComment[];
  /** Undefined where its script did not come. */
  readonly #moments: Promise<Moments | undefined>;
  readonly #waveform: ReturnType<typeof openWaveform>;
  readonly #leaving = new AbortController();
  #sources: TrackSources;
  /** Seconds at which this track begins if it is not the player's yet. */
  #startAt = 0;

  constructor(root: HTMLElement) {
    const { id, secret, sources = "", comments = "[]" } = root.dataset;
    this.#root = root;
    this.#button = find(root, "button.play", HTMLElement);
    this.#sources = JSON.parse(sources);
    this.#comments = JSON.parse(comments);
    const { title, artist, artwork, page, artistPage, durationMs } = this.#sources;
    this.#entry = { id: Number(id), secret, title, artist, artwork, page, artistPage, durationMs };
    learn(this.#entry, this.#sources);
    this.#moments = this.#openMoments();
    this.#waveform = this.#openWaveform(this.#leaving.signal);
    this.#listen(this.#leaving.signal);
    find(root, ".controls", HTMLElement).hidden = false;
    root.classList.add("ready");
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
    return this.#waveform.position();
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

  /** The page plays before its avatars are there. */
  async #openMoments(): Promise<Moments | undefined> {
    const script = await import("./waveform-moments.ts").catch(() => undefined);
    return script?.openMoments(
      find(this.#root, ".moments", HTMLElement),
      find(this.#root, ".moment-spot", HTMLElement),
      find(this.#root, ".moment-pictures", HTMLTemplateElement),
      this.#comments,
      this.#leaving.signal,
    );
  }

  #openWaveform(signal: AbortSignal): ReturnType<typeof openWaveform> {
    const sound = {
      position: () => (this.#isMine ? player.position : this.#startAt),
      length: () => this.#length,
      isPlaying: () => this.#isMine && player.isPlaying,
      isHeard: () => this.#isMine,
      rate: () => player.rate,
      moveTo: (seconds: number) => this.#moveTo(seconds),
      playFrom: (seconds: number) => this.playFrom(seconds),
      toggle: () => this.#toggle(),
    };
    return openWaveform(this.#root, "", sound, signal);
  }

  #listen(signal: AbortSignal): void {
    this.#button.addEventListener("click", () => this.#toggle(), { signal });
    for (const name of ["pointerover", "focus"])
      this.#button.addEventListener(name, () => player.foresee(this.#entry), { signal });
    for (const name of ["track", "state"]) player.addEventListener(name, () => this.#showState(), { signal });
    player.addEventListener("time", () => this.#waveform.show(), { signal });
    hearNews((key) => key === keyOf(this.#entry) && this.#refresh(), signal);
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
    this.#waveform.show();
  }

  async #refresh(): Promise<void> {
    this.#sources = await sourcesOf(this.#entry);
    this.#describe();
  }

  #describe(): void {
    const { state, waveform, durationMs, trackMs } = this.#sources;
    if (state === "growing") followEncode(this.#entry);
    else this.#root.querySelector(".growing")?.remove();
    this.#moments.then((moments) => moments?.place(durationMs / 1000));
    this.#waveform.describe(this.#comments, waveform, durationMs / trackMs);
  }

  #showState(): void {
    const isMine = this.#isMine;
    const plays = isMine && (player.isPlaying || player.isLoading);
    this.#root.classList.toggle("playing", plays);
    this.#root.classList.toggle("loading", isMine && player.isLoading);
    this.#button.setAttribute("aria-label", plays ? "Pause" : "Play");
    this.#waveform.show();
    if (isMine && player.isPlaying) this.#waveform.follow();
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
