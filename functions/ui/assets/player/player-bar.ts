import { clock } from "../clock.ts";
import { find, findAll } from "../elements.ts";
import { loadLaterStyles } from "./later-styles.ts";
import { openLevel } from "./level.ts";
import { player } from "./player.ts";
import { hearBack } from "./player-back.ts";
import { openKeysSwitch, showKeys } from "./player-keys.ts";
import { openHearts } from "./player-like.ts";
import { cycleRepeat, toggleShuffle } from "./player-queue.ts";
import { say } from "./player-said.ts";
import { openSeekBar } from "./player-seek.ts";
import { openSheets } from "./player-sheets.ts";
import { openSleepTimer } from "./player-sleep.ts";
import { UNLOADED } from "./player-trouble.ts";

/** The bar at the foot of each page, with the full player. It is hidden until something plays. */

const LEAP_S = 15;

/** Seconds of a track in which leaps are of use in the bar. */
const LONG_S = 600;

/** Pixels between the bar and what has the focus. */
const CLEARANCE_PX = 12;

/** Pixels that a finger moves up to open the full player. */
const SWIPE_PX = 30;

export function openBar(bar: HTMLElement): void {
  const parts = (name: string) => findAll(bar, `.${name}`, HTMLElement);
  const speed = find(bar, ".deck-speed", HTMLSelectElement);
  const volume = find(bar, ".volume input", HTMLInputElement);
  const trouble = find(bar, ".deck-trouble", HTMLElement);
  const heard = {
    set volume(to: number) {
      player.setVolume(Number(volume.value), to);
    },
  };
  volume.value = String(player.volume);
  const applyLevel = openLevel(bar, heard);

  const showLink = (name: string, textContent: string, href: string) =>
    Object.assign(find(bar, `.${name}`, HTMLAnchorElement), { textContent, href });

  function showTrack() {
    const { title = "", artist = "", page = "", artistPage = page, artwork, lufs } = player.entry ?? {};
    for (const name of ["deck", "full"]) {
      showLink(`${name}-title`, title, page);
      showLink(`${name}-artist`, artist, artistPage);
    }
    if (player.sources?.chapters)
      loadChapters()
        .then(({ followChapters }) => followChapters(bar, player))
        .catch(() => {});
    find(bar, ".comments-write", HTMLAnchorElement).href = `${page}#comments`;
    for (const picture of findAll(bar, "img.deck-picture", HTMLImageElement)) showPicture(picture, artwork);
    if (lufs === undefined) delete bar.dataset.lufs;
    else bar.dataset.lufs = String(lufs);
    applyLevel();
    loadLaterStyles().then(() => {
      bar.hidden = false;
    });
    showTime();
  }

  const showSeeks = ["deck", "full"].map((name) => {
    const [seek] = name === "deck" ? parts("deck-seek") : findAll(bar, ".full .deck-seek", HTMLElement);
    const [elapsed, total] = [
      find(bar, `.${name}-elapsed`, HTMLElement),
      find(bar, `.${name}-total`, HTMLElement),
    ];
    return openSeekBar(seek ?? elapsed, (at, length) => {
      elapsed.textContent = clock(at);
      total.textContent = clock(length);
    });
  });

  function showTime() {
    bar.classList.toggle("long", player.duration > LONG_S);
    for (const show of showSeeks) show();
  }

  function showState() {
    const plays = player.isPlaying || player.isLoading;
    bar.classList.toggle("playing", plays);
    bar.classList.toggle("loading", player.isLoading);
    bar.classList.toggle("muted", player.isMuted);
    for (const toggle of parts("deck-toggle")) toggle.setAttribute("aria-label", plays ? "Pause" : "Play");
    for (const mute of parts("deck-mute")) mute.setAttribute("aria-pressed", String(player.isMuted));
    speed.value = String(player.rate);
    if (trouble.textContent !== player.trouble) trouble.textContent = player.trouble;
    showTime();
  }

  openButtons(parts);
  openHearts(bar);
  openSheets(bar, (sheet) => fillSheet(sheet, () => bar.dataset.token ?? ""));
  openFullPlayer(bar);
  openSleepTimer(find(bar, ".deck-sleep", HTMLSelectElement));
  keepFocusClear(bar);
  openKeysSwitch(find(bar, ".deck-keys input", HTMLInputElement));
  find(bar, ".keys-open", HTMLElement).addEventListener("click", showKeys);
  speed.addEventListener("change", () => player.setRate(Number(speed.value)));

  player.addEventListener("track", showTrack);
  player.addEventListener("time", showTime);
  player.addEventListener("state", showState);
  player.addEventListener("queue", () => showOrder(parts));
  if (!player.entry) return;
  showTrack();
  showOrder(parts);
  showState();
}

type Parts = (name: string) => HTMLElement[];

/** A cover comes in with its track. */
function showPicture(picture: HTMLImageElement, artwork: string | undefined): void {
  picture.hidden = !artwork;
  const address = picture.closest(".full") ? artwork?.replace("-t300x300.", "-t500x500.") : artwork;
  if (!address || picture.src === address) return;
  picture.src = address;
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches)
    picture.animate([{ opacity: 0, transform: "scale(0.85)" }, {}], { duration: 180, easing: "ease-out" });
}

/** The buttons that drive the player. */
function openButtons(parts: Parts): void {
  const press = {
    toggle: () => player.toggle(),
    previous: () => player.previous(),
    next: () => player.next(),
    back: () => player.seek(player.position - LEAP_S),
    forward: () => player.seek(player.position + LEAP_S),
    shuffle: () => player.arrange(toggleShuffle),
    repeat: () => player.arrange(cycleRepeat),
    mute: () => player.toggleMute(),
  };
  for (const [name, action] of Object.entries(press))
    for (const button of parts(`deck-${name}`)) button.addEventListener("click", action);
  for (const name of ["pointerover", "focus", "pointerdown"])
    for (const next of parts("deck-next")) next.addEventListener(name, () => player.foreseeNext());
}

/** Loaded when it is first needed, with all that it shares with this page: another copy of the player would play, too. */
const loadFull = () => import("./full-player.client.ts");
const loadQueue = () => import("./queue-sheet.client.ts");
const loadComments = () => import("./comments-sheet.client.ts");
const loadChapters = () => import("./chapters-sheet.client.ts");

function fillSheet(sheet: HTMLDialogElement, token: () => string): void {
  fillingOf(sheet, token)?.catch(() => say(UNLOADED));
}

function fillingOf(sheet: HTMLDialogElement, token: () => string): Promise<unknown> | undefined {
  switch (sheet.id) {
    case "deck-queue-sheet":
      return loadQueue().then(({ fillQueueSheet }) => fillQueueSheet(sheet, { player, say, token }));
    case "deck-chapters":
      return loadChapters().then(({ fillChaptersSheet }) => fillChaptersSheet(sheet, player));
    case "deck-comments":
      return loadComments().then(({ fillCommentsSheet }) => fillCommentsSheet(sheet, player));
    default:
      return undefined;
  }
}

/** Opens the player over the whole window, by a press or a swipe. */
function openFullPlayer(bar: HTMLElement): void {
  const dialog = find(bar, "dialog.full", HTMLDialogElement);
  const cover = find(bar, ".deck-cover", HTMLElement);
  const track = find(bar, ".deck-track", HTMLElement);
  const visit = (address: string) =>
    window.Turbo ? window.Turbo.visit(address, { action: "replace" }) : location.assign(address);
  const given = { hearBack, visit };
  const open = () =>
    Promise.all([loadFull(), loadLaterStyles()]).then(
      ([{ openFull }]) => openFull(dialog, given),
      () => say(UNLOADED),
    );
  cover.addEventListener("click", open);
  for (const name of ["pointerover", "focus", "pointerdown"])
    cover.addEventListener(name, () => loadFull().catch(() => {}), { once: true });
  let from: number | undefined;
  track.addEventListener("pointerdown", ({ clientY }) => {
    from = clientY;
  });
  track.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse" || from === undefined || from - event.clientY < SWIPE_PX) return;
    from = undefined;
    open();
  });
  for (const name of ["pointerup", "pointercancel"])
    track.addEventListener(name, () => {
      from = undefined;
    });
}

/** Scrolls what gets the focus above the bar, which grows with what it says and with the text's size. */
function keepFocusClear(bar: HTMLElement): void {
  const { style } = document.documentElement;
  const resized = () => {
    style.scrollPaddingBottom = bar.hidden
      ? ""
      : `calc(${bar.offsetHeight + CLEARANCE_PX}px + var(--bottom-bar))`;
  };
  new ResizeObserver(resized).observe(bar);
}

const REPEATS = { off: "Repeat: off", all: "Repeat: all", one: "Repeat: this track" };

/** Shows the ways to go through the queue. */
function showOrder(parts: Parts): void {
  const { repeat, original } = player.queue;
  for (const button of parts("deck-repeat")) {
    button.dataset.repeat = repeat;
    button.setAttribute("aria-label", REPEATS[repeat]);
    button.title = REPEATS[repeat];
  }
  for (const shuffle of parts("deck-shuffle"))
    shuffle.setAttribute("aria-pressed", String(original !== undefined));
}
