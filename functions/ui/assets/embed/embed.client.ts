import { closest, find } from "../elements.ts";
import { reasonOf } from "../player/player-trouble.ts";
import { openControls } from "./embed-controls.ts";
import { openList, playedIn } from "./embed-list.ts";
import { describe } from "./embed-media-session.ts";
import { openMessages, openNeighbours } from "./embed-messages.ts";
import { openShare } from "./embed-share.ts";
import { EmbeddedSound, type Played, type SoundEvent } from "./embed-sound.ts";

/** The player in other sites' pages. */

/** Seconds before the end at which the next track's page is fetched. */
const SOON_S = 20;

/** Options of the embedding page. */
const { color, autoPlay, singleActive } = document.body.dataset;

function applyColor(color: string): void {
  const share = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  // Whether black contrasts better with it than white.
  const isLight = share(1) * 0.299 + share(3) * 0.587 + share(5) * 0.114 > 150;
  for (const name of ["--accent", "--played"]) document.body.style.setProperty(name, color);
  document.body.style.setProperty("--on-accent", isLight ? "#000000" : "#ffffff");
}

/** Says that nothing can be played, to the page too. */
function openWithoutSound() {
  const nothing = () => null;
  const zero = () => 0;
  const messages = openMessages({
    methods: { load },
    getters: {
      getVolume: () => 100,
      getDuration: zero,
      getPosition: zero,
      getSounds: () => [],
      getCurrentSound: nothing,
      getCurrentSoundIndex: zero,
      isPaused: () => true,
    },
    onListen: (event) => {
      if (event === "ready") messages.tellReady();
      if (event === "error")
        messages.tell("error", { message: find(document, "h1", HTMLElement).textContent });
    },
  });
  messages.tellReady();
}

/** Takes `{url, …options}`, or an address alone. */
function load(value: unknown): void {
  const asked: { url?: unknown; options?: unknown } =
    typeof value === "string" ? { url: value } : typeof value === "object" && value !== null ? value : {};
  const { url, options, ...more } = asked;
  if (typeof url !== "string") return;
  const query = new URLSearchParams({ url });
  for (const [name, chosen] of Object.entries({ ...more, ...(typeof options === "object" ? options : {}) }))
    query.set(name, String(chosen));
  location.replace(`/player/?${query}`);
}

/** Answers to the page around, by the message that asks. */
const gettersOf = (
  sound: EmbeddedSound,
  list: ReturnType<typeof openList>,
): Record<string, () => unknown> => ({
  getVolume: () => sound.volume() * 100,
  getDuration: () => Math.round(sound.duration() * 1000),
  getPosition: () => sound.position() * 1000,
  getSounds: () => list.sounds(sound.played()?.sound),
  getCurrentSound: () => sound.played()?.sound,
  getCurrentSoundIndex: () => list.index(),
  isPaused: () => sound.isPaused(),
});

function openWithSound(first: Played): void {
  const pauseOthers = singleActive === "false" ? () => {} : openNeighbours(() => sound.pause());
  const list = openList(first);
  const root = find(document, ".embed-player", HTMLElement);
  const sound = new EmbeddedSound(find(root, "audio", HTMLAudioElement), { tell: hear, renew: list.renew });
  const controls = openControls(root, sound);
  /** The change of track that is under way. */
  let changing: Promise<unknown> = Promise.resolve();

  const whereabouts = () => ({
    soundId: sound.played()?.sound?.id ?? null,
    loadedProgress: sound.loaded(),
    loadProgress: sound.loaded(),
    currentPosition: sound.position() * 1000,
    relativePosition: sound.duration() ? sound.position() / sound.duration() : 0,
  });
  const tell = (event: string) => messages.tell(event, whereabouts());

  function hear(event: SoundEvent, reason = "") {
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

  function fail(text: string) {
    Object.assign(find(document, '[data-part="trouble"]', HTMLElement), { textContent: text, hidden: !text });
    if (text) messages.tell("error", { ...whereabouts(), message: text });
  }

  function goOn() {
    const next = list.beside(1);
    if (next === undefined) tell("pause");
    tell("finish");
    skip(next, 1);
  }

  /** Plays the track at this place of the list. With a direction, it passes over what cannot be played. */
  function skip(at: number | undefined, step?: number) {
    if (at === undefined || !list.links[at]) return;
    sound.leave();
    changing = change(at, step);
    return changing;
  }

  async function change(at: number, step?: number): Promise<void> {
    const played = await list.go(at).catch((error: unknown) => {
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
    seekTo: (ms: unknown) => Number.isFinite(Number(ms)) && sound.seek(Number(ms) / 1000),
    setVolume: (percent: unknown) =>
      Number.isFinite(Number(percent)) && sound.setVolume(Number(percent) / 100),
    next: () => skip(list.beside(1), 1),
    prev: () => skip(list.beside(-1), -1),
    skip: (at: unknown) => skip(Number(at)),
    load,
  };
  const messages = openMessages({
    methods,
    getters: Object.fromEntries(
      Object.entries(gettersOf(sound, list)).map(([name, get]) => [name, () => changing.then(get)]),
    ),
    onListen: (event) => {
      if (event === "ready") messages.tellReady();
      const trouble = sound.played()?.trouble;
      if (event === "error" && trouble) fail(trouble);
    },
  });

  const share = openShare(() => tell("sharePanelOpened"));
  document.addEventListener("click", (event) => {
    const { target } = event;
    if (closest(target, "a.download", HTMLElement)) tell("downloadClicked");
    if (closest(target, "a.buy", HTMLElement)) tell("buyClicked");
    const link = closest(target, ".embed-list a", HTMLAnchorElement);
    const at = link ? list.links.indexOf(link) : -1;
    if (at < 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    skip(at);
  });

  sound.change(first);
  describe(sound, list, methods);
  messages.tellReady();
  if (autoPlay) sound.play();
}

if (color) applyColor(color);
if (document.querySelector('[data-block="played"]')) openWithSound(playedIn(document));
else openWithoutSound();
