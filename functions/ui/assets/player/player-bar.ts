import { clock } from "../clock.ts";
import { find } from "../elements.ts";
import { openLevel } from "./level.ts";
import { player } from "./player.ts";
import { openKeysSwitch } from "./player-keys.ts";
import { showQueue } from "./player-queue-list.ts";
import { STEP_S } from "./seek.ts";
import { writePosition } from "./spoken-position.ts";

/** The bar at the foot of each page. It is hidden until something plays. */

const LEAP_S = 15;

/** Pixels between the bar and what has the focus. */
const CLEARANCE_PX = 12;

type Part = (name: string) => HTMLElement;

export function openBar(bar: HTMLElement): void {
  const part = (name: string) => find(bar, `.deck-${name}`, HTMLElement);
  const seek = find(bar, ".deck-seek", HTMLInputElement);
  const speed = find(bar, ".deck-speed", HTMLSelectElement);
  const volume = find(bar, ".volume input", HTMLInputElement);
  const heard = {
    set volume(to: number) {
      player.setVolume(Number(volume.value), to);
    },
  };
  volume.value = String(player.volume);
  const applyLevel = openLevel(bar, heard);
  /** Whether the listener holds the seek bar. */
  let isHeld = false;

  const showLink = (name: string, textContent: string, href: string) =>
    Object.assign(find(bar, `.deck-${name}`, HTMLAnchorElement), { textContent, href });

  function showTrack() {
    const { title = "", artist = "", page = "", artistPage = page, artwork, lufs } = player.entry ?? {};
    showLink("title", title, page);
    showLink("artist", artist, artistPage);
    find(bar, ".deck-cover", HTMLAnchorElement).href = page;
    const picture = find(bar, ".deck-cover img", HTMLImageElement);
    picture.hidden = !artwork;
    if (artwork && picture.src !== artwork) picture.src = artwork;
    if (lufs === undefined) delete bar.dataset.lufs;
    else bar.dataset.lufs = String(lufs);
    applyLevel();
    bar.hidden = false;
    showTime();
  }

  function showTime() {
    const at = isHeld ? Number(seek.value) : player.position;
    const length = player.duration;
    seek.max = String(Math.max(length, 0.1));
    if (!isHeld) seek.value = String(at);
    writePosition(seek, { at, length, isPlaying: player.isPlaying && !isHeld });
    part("elapsed").textContent = clock(at);
    part("total").textContent = clock(length);
  }

  function showState() {
    const plays = player.isPlaying || player.isLoading;
    bar.classList.toggle("playing", plays);
    bar.classList.toggle("loading", player.isLoading);
    bar.classList.toggle("muted", player.isMuted);
    part("toggle").setAttribute("aria-label", plays ? "Pause" : "Play");
    part("mute").setAttribute("aria-pressed", String(player.isMuted));
    speed.value = String(player.rate);
    if (part("trouble").textContent !== player.trouble) part("trouble").textContent = player.trouble;
    showTime();
  }

  openButtons(part);
  seek.addEventListener("input", () => {
    isHeld = true;
    showTime();
  });
  seek.addEventListener("change", () => {
    isHeld = false;
    player.seek(Number(seek.value));
  });
  openSeekKeys(seek);
  openPanel(bar, part);
  keepFocusClear(bar);
  openKeysSwitch(find(bar, ".deck-keys input", HTMLInputElement));
  speed.addEventListener("change", () => player.setRate(Number(speed.value)));

  player.addEventListener("track", showTrack);
  player.addEventListener("time", showTime);
  player.addEventListener("state", showState);
  player.addEventListener("queue", () => showOrder(part));
  if (!player.entry) return;
  showTrack();
  showOrder(part);
  showState();
}

/** The buttons that drive the player. */
function openButtons(part: Part): void {
  const press = {
    toggle: () => player.toggle(),
    previous: () => player.previous(),
    next: () => player.next(),
    back: () => player.seek(player.position - LEAP_S),
    forward: () => player.seek(player.position + LEAP_S),
    shuffle: () => player.toggleShuffle(),
    repeat: () => player.cycleRepeat(),
    mute: () => player.toggleMute(),
  };
  for (const [name, action] of Object.entries(press)) part(name).addEventListener("click", action);
  for (const name of ["pointerover", "focus", "pointerdown"])
    part("next").addEventListener(name, () => player.foreseeNext());
}

const STEPS: Record<string, number | undefined> = {
  ArrowLeft: -STEP_S,
  ArrowDown: -STEP_S,
  ArrowRight: STEP_S,
  ArrowUp: STEP_S,
};

/** The slider's own step is fine enough for pointers, and too fine for keys. */
function openSeekKeys(seek: HTMLInputElement): void {
  seek.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const by = STEPS[key];
    if (!by || shiftKey || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    player.seek(player.position + by);
  });
}

/** Scrolls what gets the focus above the bar, which grows with what it says and with the text's size. */
function keepFocusClear(bar: HTMLElement): void {
  const { style } = document.documentElement;
  const resized = () => {
    style.scrollPaddingBottom = bar.hidden ? "" : `${bar.offsetHeight + CLEARANCE_PX}px`;
  };
  new ResizeObserver(resized).observe(bar);
}

const REPEATS = { off: "Repeat: off", all: "Repeat: all", one: "Repeat: this track" };

/** Shows the queue and the ways to go through it. */
function showOrder(part: Part): void {
  const { repeat, original } = player.queue;
  const button = part("repeat");
  const shuffle = part("shuffle");
  button.dataset.repeat = repeat;
  button.setAttribute("aria-label", REPEATS[repeat]);
  button.title = REPEATS[repeat];
  shuffle.setAttribute("aria-pressed", String(original !== undefined));
  showQueue(part("queue"));
}

/** Opens and closes the queue and the settings. */
function openPanel(bar: HTMLElement, part: Part): void {
  const more = part("more");
  const panel = part("panel");
  function show(isOpen: boolean) {
    more.setAttribute("aria-expanded", String(isOpen));
    bar.classList.toggle("open", isOpen);
    panel.hidden = !isOpen;
  }
  more.addEventListener("click", () => show(Boolean(panel.hidden)));
  bar.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || panel.hidden) return;
    show(false);
    more.focus();
  });
}
