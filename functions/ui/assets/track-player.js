import { clock, secondsOf } from "./clock.ts";
import { openFollowing } from "./follow-playback.ts";
import { player } from "./player.js";
import { entriesAround } from "./player-buttons.js";
import { followEncode, keyOf, learn, news, sourcesOf } from "./player-sources.js";
import { openSeek } from "./seek.js";
import { writePosition } from "./spoken-position.ts";
import { inTurns, showMarks, textAt } from "./track-marks.js";
import { drawWaveform, LEVEL, loadSamples } from "./waveform.js";

/** The track page's player: its waveform, comments and length. The sound is the site's one player's. */
class TrackPlayer extends HTMLElement {
  #leaves;
  #samples = LEVEL;
  /** Seconds at which this track begins if it is not the player's yet. */
  #startAt = 0;
  /** Tells the seconds at which the pointer holds the position, `undefined` otherwise. */
  #held = () => undefined;
  /** Shows the position for as long as it moves. */
  #follow;

  connectedCallback() {
    this.#leaves = new AbortController();
    const { signal } = this.#leaves;
    const { id, secret, sources } = this.dataset;
    this.sources = JSON.parse(sources);
    this.entry = { id: Number(id), secret, durationMs: this.sources.durationMs, ...wordsOf(this.sources) };
    learn(this.entry, this.sources);
    [this.seek, this.canvas, this.button] = [".seek", "canvas", "button.play"].map((each) =>
      this.#part(each),
    );
    this.#part(".controls").hidden = false;
    this.classList.add("ready");
    this.button.addEventListener("click", () => this.toggle(), { signal });
    for (const name of ["pointerover", "focus"])
      this.button.addEventListener(name, () => player.foresee(this.entry), { signal });
    this.#held = openSeek(
      this.seek,
      {
        ...{ position: () => this.position, length: () => this.#length, show: () => this.#show() },
        ...{ moveTo: (seconds) => this.#moveTo(seconds), playFrom: (seconds) => this.playFrom(seconds) },
        toggle: () => this.toggle(),
      },
      signal,
    );
    for (const name of ["track", "state"]) player.addEventListener(name, () => this.#showState(), { signal });
    player.addEventListener("time", () => this.#show(), { signal });
    news.addEventListener("change", ({ detail }) => detail === keyOf(this.entry) && this.#refresh(), {
      signal,
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#show(), { signal });
    this.#follow ??= openFollowing(
      {
        isPlaying: () => this.isConnected && this.#isMine && player.isPlaying,
        position: () => this.position,
        length: () => this.#length,
        rate: () => player.rate,
      },
      this.canvas,
      () => this.#show(),
    );
    const resized = new ResizeObserver(() => this.#show());
    resized.observe(this.canvas);
    signal.addEventListener("abort", () => resized.disconnect());
    this.#describe();
    this.#showState();
    const at = momentOf(location);
    if (at !== undefined && !isRestoring) this.#moveTo(at);
  }

  disconnectedCallback() {
    this.#leaves.abort();
  }

  #part = (selector) => this.querySelector(selector);

  get #isMine() {
    return player.entry !== undefined && keyOf(player.entry) === keyOf(this.entry);
  }

  get #length() {
    return this.#isMine ? player.duration : this.sources.durationMs / 1000;
  }

  /** Seconds. */
  get position() {
    const at = this.#held() ?? (this.#isMine ? player.position : this.#startAt);
    return Math.min(Math.max(at, 0), this.#length);
  }

  /** The page's list of tracks follows. */
  play(at = this.#startAt) {
    if (this.#isMine) return player.play();
    const others = entriesAround(this).filter((entry) => keyOf(entry) !== keyOf(this.entry));
    return player.playList([this.entry, ...others], 0, at);
  }

  toggle() {
    return this.#isMine ? player.toggle() : this.play();
  }

  /** Plays from a moment, such as a comment's. */
  playFrom(seconds) {
    this.#moveTo(seconds);
    return this.play();
  }

  #moveTo(seconds) {
    if (this.#isMine) player.seek(seconds);
    else this.#startAt = Math.min(Math.max(seconds, 0), this.#length);
    this.#show();
  }

  async #refresh() {
    this.sources = await sourcesOf(this.entry);
    this.#describe();
  }

  /** Shows length, waveform and comments. */
  async #describe() {
    const { state, waveform, durationMs, trackMs } = this.sources;
    if (state === "growing") followEncode(this.entry);
    else this.#part(".growing")?.remove();
    this.comments = JSON.parse(this.dataset.comments ?? "[]");
    this.turns = inTurns(this.comments);
    this.#show();
    if (!waveform) return;
    const whole = await loadSamples(waveform);
    // Keeps only the audible part of a preview.
    this.#samples = whole.slice(0, Math.max(1, Math.round((whole.length * durationMs) / trackMs)));
    this.#show();
  }

  #showState() {
    const isMine = this.#isMine;
    const plays = isMine && (player.isPlaying || player.isLoading);
    this.classList.toggle("playing", plays);
    this.classList.toggle("loading", isMine && player.isLoading);
    this.button.setAttribute("aria-label", plays ? "Pause" : "Play");
    this.#show();
    if (isMine && player.isPlaying) this.#follow();
  }

  #show() {
    const [at, length] = [this.position, this.#length];
    this.#part(".elapsed").textContent = clock(at);
    this.#part(".total").textContent = clock(length);
    this.seek.setAttribute("aria-valuemax", String(Math.round(length)));
    this.seek.setAttribute("aria-valuenow", String(Math.round(at)));
    writePosition(this.seek, { at, length, isPlaying: this.#isMine && player.isPlaying });
    drawWaveform(this.canvas, this.#samples, length ? at / length : 0);
    if (this.#marked !== length) showMarks(this.#part(".marks"), this.comments ?? [], length);
    this.#marked = length;
    const said = this.#part(".said");
    const text = textAt(this.turns ?? [], at, this.#isMine);
    if (said.textContent !== text) said.textContent = text;
    said.hidden = text === "";
  }

  #marked;
}

const wordsOf = ({ title, artist, artwork, page, artistPage }) => ({
  title,
  artist,
  artwork,
  page,
  artistPage,
});

/** `?t=` or `#t=` of an address, in seconds. */
const momentOf = ({ search, hash }) =>
  secondsOf(new URLSearchParams(search).get("t") ?? new URLSearchParams(hash.slice(1)).get("t"));

/** Back returns to a page, and a small form shows it anew. Neither leads to the moment in its address again. */
let isRestoring = false;
document.addEventListener("turbo:visit", ({ detail }) => {
  isRestoring = detail.action !== "advance";
});

/** A link to a moment of the track on this page, such as a comment's time, plays from there. */
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const shown = document.querySelector("track-player");
  if (!shown || link.origin !== location.origin || link.pathname !== location.pathname) return;
  const at = momentOf(link);
  if (at === undefined) return;
  event.preventDefault();
  shown.playFrom(at);
});

customElements.define("track-player", TrackPlayer);
