import { openControls } from "./embed-controls.js";
import { openList, playedIn } from "./embed-list.js";
import { describe } from "./embed-media-session.js";
import { openMessages, openNeighbours } from "./embed-messages.js";
import { openShare } from "./embed-share.ts";
import { openSound } from "./embed-sound.js";
import { reasonOf } from "./player-trouble.js";

/** The player in other sites' pages. */

/** Seconds before the end at which the next track's page is fetched. */
const SOON_S = 20;

/** Options of the embedding page. */
const { color, autoPlay, singleActive } = document.body.dataset;

function applyColor() {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  // Whether black contrasts better with it than white.
  const isLight = red * 0.299 + green * 0.587 + blue * 0.114 > 150;
  document.body.style.setProperty("--accent", color);
  document.body.style.setProperty("--on-accent", isLight ? "#000000" : "#ffffff");
}

/** Says that nothing can be played, to the page too. */
function openWithoutSound() {
  const nothing = () => null;
  const zero = () => 0;
  const messages = openMessages({
    methods: { load },
    getters: {
      ...{ getVolume: () => 100, getDuration: zero, getPosition: zero, getSounds: () => [] },
      ...{ getCurrentSound: nothing, getCurrentSoundIndex: zero, isPaused: () => true },
    },
    onListen: (event) => {
      if (event === "ready") messages.tellReady();
      if (event === "error") messages.tell("error", { message: document.querySelector("h1").textContent });
    },
  });
  messages.tellReady();
}

/** Takes `{url, …options}`, or an address alone. */
function load(value) {
  const { url, options, ...more } = typeof value === "string" ? { url: value } : (value ?? {});
  if (typeof url !== "string") return;
  const query = new URLSearchParams({ url });
  for (const [name, chosen] of Object.entries({ ...more, ...options })) query.set(name, String(chosen));
  location.replace(`/player/?${query}`);
}

/** Answers to the page around, by the message that asks. */
const gettersOf = (sound, list) => ({
  getVolume: () => sound.volume() * 100,
  getDuration: () => Math.round(sound.duration() * 1000),
  getPosition: () => sound.position() * 1000,
  getSounds: () => list.sounds(sound.played().sound),
  getCurrentSound: () => sound.played().sound,
  getCurrentSoundIndex: () => list.index(),
  isPaused: () => sound.isPaused(),
});

function openWithSound(first) {
  const pauseOthers = singleActive === "false" ? () => {} : openNeighbours(() => sound.pause());
  const list = openList(first);
  const sound = openSound(document.querySelector(".embed-player audio"), { tell: hear, renew: list.renew });
  const controls = openControls(document.querySelector(".embed-player"), sound);
  const troubleOf = () => document.querySelector('[data-part="trouble"]');
  /** The change of track that is under way. */
  let changing = Promise.resolve();

  const whereabouts = () => ({
    soundId: sound.played().sound?.id ?? null,
    loadedProgress: sound.loaded(),
    loadProgress: sound.loaded(),
    currentPosition: sound.position() * 1000,
    relativePosition: sound.duration() ? sound.position() / sound.duration() : 0,
  });
  const tell = (event) => messages.tell(event, whereabouts());

  function hear(event, reason) {
    if (event === "state") return controls.show();
    if (event === "ended") return goOn();
    if (event === "error") return fail(reason);
    if (event === "play") {
      fail("");
      pauseOthers();
      controls.follow();
    }
    if (event === "playProgress" && sound.duration() - sound.position() < SOON_S)
      list.foresee(list.beside(1));
    tell(event);
  }

  function fail(text) {
    troubleOf().textContent = text;
    troubleOf().hidden = text === "";
    if (text) messages.tell("error", { ...whereabouts(), message: text });
  }

  function goOn() {
    const next = list.beside(1);
    if (next === undefined) tell("pause");
    tell("finish");
    skip(next, 1);
  }

  /** Plays the track at this place of the list. With a direction, it passes over what cannot be played. */
  function skip(at, step) {
    if (!list.links[at]) return;
    sound.leave();
    changing = change(at, step);
    return changing;
  }

  async function change(at, step) {
    const played = await list.go(at).catch((error) => {
      sound.stay();
      fail(reasonOf(error));
    });
    if (!played) return;
    const further = played.trouble && step ? list.beside(step) : undefined;
    if (further !== undefined) return change(further, step);
    const plays = !sound.isPaused();
    sound.change(played);
    share();
    describe(sound, list, methods);
    if (plays) sound.play();
  }

  const methods = {
    // Not awaited, like the others: a browser may hold playback back for long.
    play: () => void sound.play(),
    pause: () => sound.pause(),
    toggle: () => void (sound.isPaused() ? sound.play() : sound.pause()),
    seekTo: (ms) => Number.isFinite(Number(ms)) && sound.seek(Number(ms) / 1000),
    setVolume: (percent) => Number.isFinite(Number(percent)) && sound.setVolume(Number(percent) / 100),
    next: () => skip(list.beside(1), 1),
    prev: () => skip(list.beside(-1), -1),
    skip: (at) => skip(Number(at)),
    load,
  };
  const messages = openMessages({
    methods,
    getters: Object.fromEntries(
      Object.entries(gettersOf(sound, list)).map(([name, get]) => [name, () => changing.then(get)]),
    ),
    onListen: (event) => {
      if (event === "ready") messages.tellReady();
      if (event === "error" && sound.played().trouble) fail(sound.played().trouble);
    },
  });

  const share = openShare(() => tell("sharePanelOpened"));
  document.addEventListener("click", (event) => {
    const { target } = event;
    if (target.closest("a.download")) tell("downloadClicked");
    if (target.closest("a.buy")) tell("buyClicked");
    const at = list.links.indexOf(target.closest(".embed-list a"));
    if (at < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    skip(at);
  });

  sound.change(first);
  describe(sound, list, methods);
  messages.tellReady();
  if (autoPlay) sound.play();
}

if (color) applyColor();
if (document.querySelector('[data-block="played"]')) openWithSound(playedIn(document));
else openWithoutSound();
