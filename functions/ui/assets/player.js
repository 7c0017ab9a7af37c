import { openPlayback, playsSince, prepareToPlay } from "./playback.js";
import { lengthInSeconds } from "./player-length.js";
import {
  cycleRepeat,
  EMPTY,
  extended,
  nextOf,
  previousOf,
  replaced,
  restore,
  toggleShuffle,
  without,
} from "./player-queue.js";
import { awaitSources, followEncode, keyOf, news, sourcesOf } from "./player-sources.js";
import { openSpare } from "./player-spare.js";
import { GONE, REASONS, reasonOf, UNPLAYED, UNREACHED } from "./player-trouble.js";

/**
 * The site's one player: a queue and the track that is loaded. Dispatches "track" when another is loaded or more
 * is known about it, "queue", "state" and "time".
 */
export const player = new EventTarget();
const tell = (name) => player.dispatchEvent(new Event(name));

/** Seconds after which "previous" returns to the track's start. */
const RESTART_AFTER_S = 4;

let queue = EMPTY;
/** The entry in `audio`, with its sources and playback once it was begun. `startAt` is in seconds. */
let loaded;
let trouble = "";
let rate = 1;
let volume = 1;

const spare = openSpare(watch);
let audio = watch(new Audio());
// Beside the body, because swapped pages would stop it, and Turbo's clones of it would load.
document.documentElement.append(audio);

function watch(one) {
  one.preload = "auto";
  const on = (names, listener) => {
    for (const name of names) one.addEventListener(name, () => one === audio && listener());
  };
  on(["play", "playing", "pause", "waiting", "ended", "seeked", "canplay"], () => tell("state"));
  on(["timeupdate", "durationchange", "progress"], () => tell("time"));
  on(["playing"], begun);
  on(["timeupdate"], lookAhead);
  // By the standard, a paused track ends as well when the listener moves there.
  on(["ended"], () => loaded.playback?.isWanted() && goOn());
  return one;
}

Object.defineProperties(player, {
  queue: { get: () => queue },
  entry: { get: () => loaded?.entry },
  trouble: { get: () => trouble },
  rate: { get: () => rate },
  volume: { get: () => volume },
  isMuted: { get: () => audio.muted },
  isPlaying: { get: () => !audio.paused && !audio.ended },
  hasEnded: { get: () => audio.ended },
  isLoading: { get: () => Boolean(loaded?.turn?.isWanted || loaded?.playback?.isLoading()) },
  /** Seconds. */
  position: { get: () => (loaded?.playback ? audio.currentTime : (loaded?.startAt ?? 0)) },
  duration: { get: () => lengthInSeconds(loaded ?? {}, audio) },
});

/** Sounds from an element that was prepared, if it was this track. */
function load(entry, startAt = 0) {
  trouble = "";
  const prepared = startAt === 0 ? spare.take(entry) : undefined;
  const old = loaded;
  audio.pause();
  if (prepared) {
    const before = audio;
    audio = prepared.audio;
    document.documentElement.append(audio);
    const mine = Object.assign(prepared, { entry, onFailed: (...how) => loaded === mine && renew(...how) });
    loaded = mine;
    release(old, before);
    before.remove();
    spare.keep(before);
    describe(prepared.sources);
  } else {
    release(old, audio);
    loaded = { entry, startAt };
    spare.bless();
  }
  applyRate();
  tell("track");
}

/** `load` also lets browsers play it later without another press. */
function release(old, element) {
  old?.playback?.close();
  element.removeAttribute("src");
  element.load();
}

function describe(sources) {
  loaded.sources = sources;
  const { title, artist, artwork, page, artistPage, durationMs, lufs } = sources;
  Object.assign(loaded.entry, { title, artist, artwork, page, artistPage, durationMs, lufs });
  if (sources.state === "growing") followEncode(loaded.entry);
}

/** Asks for the sources if necessary, and plays. After a pause, another press asks anew. */
async function play({ fresh = false } = {}) {
  const mine = loaded;
  if (!mine || mine.turn?.isWanted) return;
  trouble = "";
  if (!mine.playback) {
    const turn = { isWanted: true };
    mine.turn = turn;
    // After a reload nothing has loaded it yet, and Safari soon forgets the press.
    if (!audio.hasAttribute("src")) audio.load();
    prepareToPlay(audio);
    tell("state");
    const { sources, status } = await awaitSources(mine.entry, { fresh }, () => staysAt(mine, turn));
    if (mine !== loaded || mine.turn !== turn) return;
    mine.turn = undefined;
    if (!sources) return status === 404 ? refuse(GONE, turn) : fail(reasonOf({ status }));
    trouble = "";
    describe(sources);
    tell("track");
    if (!sources.hls && !sources.mp3) return refuse(REASONS[sources.state] ?? UNPLAYED, turn);
    if (!turn.isWanted) return tell("state");
    audio.currentTime = mine.startAt;
    mine.grows = sources.state === "growing";
    mine.playback = openPlayback(audio, sources, (...how) => loaded === mine && renew(...how));
  }
  const started = mine.playback.play();
  tell("state");
  await started;
  tell("state");
}

function fail(why) {
  trouble = why;
  audio.pause();
  tell("state");
}

/** Says why nothing sounds yet, unless it is not wanted any more. */
function staysAt(mine, turn) {
  const isAwaited = mine === loaded && mine.turn === turn && turn.isWanted;
  if (isAwaited) fail(UNREACHED);
  return isAwaited;
}

/** Signed addresses expire, and the service has new ones. If those fail too, nothing can be played. */
function renew(at, isSilent) {
  const isWanted = loaded.playback.isWanted();
  loaded.playback.close();
  Object.assign(loaded, { playback: undefined, startAt: at });
  if (!isWanted) return tell("state");
  loaded.isRenewed = !loaded.isRenewed;
  return loaded.isRenewed ? play({ fresh: true }) : fail(isSilent ? UNREACHED : UNPLAYED);
}

function begun() {
  loaded.report?.();
  loaded.report = undefined;
}

function pause() {
  if (!loaded) return;
  if (loaded.turn) loaded.turn.isWanted = false;
  if (loaded.playback) loaded.playback.pause();
  tell("state");
}

function go(at, startAt) {
  queue = { ...queue, at };
  load(queue.entries[at], startAt);
  tell("queue");
  return play();
}

/** The track has ended. `tries` are the entries that may follow it. */
function goOn(tries = queue.entries.length) {
  const at = nextOf(queue, false);
  if (at === undefined) return tell("state");
  if (at === queue.at) {
    player.seek(0);
    return play();
  }
  const going = go(at);
  loaded.tries = tries - 1;
  return going;
}

/** Says that the track cannot be played. One that the queue led to is passed over, unless the listener paused it. */
function refuse(why, { isWanted }) {
  fail(why);
  return isWanted && loaded.tries > 0 && queue.repeat !== "one" ? goOn(loaded.tries) : undefined;
}

function lookAhead() {
  if (playsSince(audio, loaded.startAt)) loaded.isRenewed = false;
  const next = nextOf(queue, false);
  if (next === undefined || next === queue.at) return;
  const playedS = audio.currentTime;
  spare.expect(queue.entries[next], { playedS, leftS: player.duration - playedS });
}

function mute(to) {
  for (const one of [audio, spare.audio]) one.muted = to;
}

function applyRate() {
  audio.defaultPlaybackRate = rate;
  audio.playbackRate = rate;
}

const clamp = (seconds) => Math.min(Math.max(seconds, 0), player.duration || 0);

Object.assign(player, {
  play,
  pause,
  toggle: () => (player.isPlaying || player.isLoading ? pause() : play()),
  /** Replaces the queue and plays it from one of its entries. `further` is where its list goes on. */
  playList(entries, at, startAt = 0, further) {
    queue = replaced(queue, entries, at, further);
    return go(queue.at, startAt);
  },
  jump: (at) => (at === queue.at ? play() : go(at)),
  next() {
    const at = nextOf(queue, true);
    return at === undefined ? undefined : go(at);
  },
  previous() {
    const at = previousOf(queue);
    if (at === undefined || player.position > RESTART_AFTER_S) return player.seek(0);
    return go(at);
  },
  /** Prepares a track that will probably be wanted. */
  foresee: (entry) => entry && keyOf(entry) !== (loaded && keyOf(loaded.entry)) && spare.foresee(entry),
  foreseeNext: () => player.foresee(queue.entries[nextOf(queue, true)]),
  seek(seconds) {
    if (!loaded) return;
    if (loaded.playback) loaded.playback.seek(clamp(seconds));
    else loaded.startAt = clamp(seconds);
    tell("time");
  },
  setRate(to) {
    rate = to;
    applyRate();
    tell("state");
  },
  /** `heard` is what the level makes of the listener's volume. */
  setVolume(to, heard) {
    volume = to;
    audio.volume = heard;
  },
  toggleMute() {
    mute(!player.isMuted);
    tell("state");
  },
  remove(at) {
    if (at === queue.at) return;
    change(without(queue, at));
  },
  extend: (entries, further) => change(extended(queue, entries, further)),
  toggleShuffle: () => change(toggleShuffle(queue)),
  cycleRepeat: () => change(cycleRepeat(queue)),
});

function change(to) {
  queue = to;
  tell("queue");
}

news.addEventListener("change", async ({ detail }) => {
  if (!loaded || keyOf(loaded.entry) !== detail) return;
  describe(await sourcesOf(loaded.entry));
  tell("track");
});

/** Takes up, paused, what this tab played before it was loaded anew. */
const stored = restore();
if (stored?.queue.entries[stored.queue.at]) {
  ({ queue, rate, volume } = stored);
  loaded = { entry: queue.entries[queue.at], startAt: stored.position };
  mute(stored.isMuted);
  applyRate();
}
