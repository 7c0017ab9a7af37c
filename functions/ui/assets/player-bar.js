import { clock } from "./clock.ts";
import { openLevel } from "./level.ts";
import { player } from "./player.js";
import { openKeysSwitch } from "./player-keys.js";
import { showQueue } from "./player-queue-list.js";
import { STEP_S } from "./seek.js";
import { writePosition } from "./spoken-position.ts";

/** The bar at the foot of each page. It is hidden until something plays. */

const LEAP_S = 15;

/** Pixels between the bar and what has the focus. */
const CLEARANCE_PX = 12;

export function openBar(bar) {
  const part = (name) => bar.querySelector(`.deck-${name}`);
  const seek = part("seek");
  const volume = bar.querySelector(".volume input");
  const heard = {
    set volume(to) {
      player.setVolume(Number(volume.value), to);
    },
  };
  volume.value = player.volume;
  const applyLevel = openLevel(bar, heard);
  /** Whether the listener holds the seek bar. */
  let isHeld = false;

  function showTrack() {
    const { title, artist, page, artistPage, artwork, lufs } = player.entry;
    part("title").textContent = title;
    part("artist").textContent = artist ?? "";
    for (const name of ["title", "cover"]) part(name).href = page;
    part("artist").href = artistPage ?? page;
    const picture = part("cover").querySelector("img");
    picture.hidden = !artwork;
    if (artwork && picture.src !== artwork) picture.src = artwork;
    if (lufs === undefined) delete bar.dataset.lufs;
    else bar.dataset.lufs = lufs;
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
    part("speed").value = String(player.rate);
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
  openKeysSwitch(part("keys").querySelector("input"));
  part("speed").addEventListener("change", ({ target }) => player.setRate(Number(target.value)));

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
function openButtons(part) {
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

/** The slider's own step is fine enough for pointers, and too fine for keys. */
function openSeekKeys(seek) {
  seek.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const by = { ArrowLeft: -STEP_S, ArrowDown: -STEP_S, ArrowRight: STEP_S, ArrowUp: STEP_S }[key];
    if (!by || shiftKey || ctrlKey || metaKey || altKey) return;
    event.preventDefault();
    player.seek(player.position + by);
  });
}

/** Scrolls what gets the focus above the bar, which grows with what it says and with the text's size. */
function keepFocusClear(bar) {
  const { style } = document.documentElement;
  const resized = () => {
    style.scrollPaddingBottom = bar.hidden ? "" : `${bar.offsetHeight + CLEARANCE_PX}px`;
  };
  new ResizeObserver(resized).observe(bar);
}

const REPEATS = { off: "Repeat: off", all: "Repeat: all", one: "Repeat: this track" };

/** Shows the queue and the ways to go through it. */
function showOrder(part) {
  const { repeat, original } = player.queue;
  const [button, shuffle] = [part("repeat"), part("shuffle")];
  button.dataset.repeat = repeat;
  button.setAttribute("aria-label", REPEATS[repeat]);
  button.title = REPEATS[repeat];
  shuffle.setAttribute("aria-pressed", String(original !== undefined));
  showQueue(part("queue"));
}

/** Opens and closes the queue and the settings. */
function openPanel(bar, part) {
  const [more, panel] = [part("more"), part("panel")];
  function show(isOpen) {
    more.setAttribute("aria-expanded", String(isOpen));
    bar.classList.toggle("open", isOpen);
    panel.hidden = !isOpen;
  }
  more.addEventListener("click", () => show(panel.hidden));
  bar.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || panel.hidden) return;
    show(false);
    more.focus();
  });
}
