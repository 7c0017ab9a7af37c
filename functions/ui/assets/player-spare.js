import { openPlayback } from "./playback.js";
import { keyOf, sourcesOf } from "./player-sources.js";

/** Seconds of a track after which the next one is prepared, and left when it is prepared at the latest. */
const SETTLED_S = 3;
const LAST_S = 20;

/** Milliseconds for which a track that the pointer met stays prepared. */
const HELD_MS = 10_000;

const isFrugal = () => Boolean(navigator.connection?.saveData);

/** A second audio element, which holds the track that will probably be heard next. */
export function openSpare(watch) {
  let audio = watch(new Audio());
  /** `ready` is set while its addresses are known and its beginning loads. */
  let prepared;

  /** Remembers the track, or each look would prepare one again that failed, four times a second. */
  function empty() {
    if (!prepared?.ready) return;
    prepared.ready.playback.close();
    prepared.ready = undefined;
    audio.removeAttribute("src");
    audio.load();
  }

  async function prepare(entry, heldUntilMs) {
    const key = keyOf(entry);
    if (prepared?.key === key) {
      prepared.untilMs = Math.max(prepared.untilMs, heldUntilMs);
      return;
    }
    empty();
    const mine = { key, untilMs: heldUntilMs };
    prepared = mine;
    const sources = await sourcesOf(entry).catch(() => undefined);
    if (mine !== prepared) return;
    // A growing track's end is not known, and its playlist would be asked for again and again.
    if (!sources?.hls || sources.state !== "finished") return;
    const failed = (...how) => (mine === prepared ? empty() : ready.onFailed(...how));
    // Loading it in advance is no play.
    const playback = openPlayback(
      audio,
      { ...sources, hls: `${sources.hls}?ahead=true`, mp3: undefined },
      failed,
    );
    const ready = { sources, playback, report: () => reportPlay(sources) };
    mine.ready = ready;
    await playback.prepare();
  }

  return {
    get audio() {
      return audio;
    },
    /** The pointer or the keyboard is on the track's button. */
    foresee: (entry) => prepare(entry, Date.now() + HELD_MS),
    /** The queue leads there. */
    expect(entry, { playedS, leftS }) {
      const isNear = leftS < LAST_S;
      if (!isNear && (isFrugal() || playedS < SETTLED_S)) return;
      if (prepared && prepared.key !== keyOf(entry) && Date.now() < prepared.untilMs && leftS > 2) return;
      prepare(entry, 0);
    },
    /** In the course of a press, so that browsers play it later without another. */
    bless: () => prepared?.ready ?? audio.load(),
    /** Hands the prepared element over, and is without one until `keep`. `onFailed` must be set on it. */
    take(entry) {
      if (prepared?.key !== keyOf(entry) || !prepared.ready) return undefined;
      const { ready } = prepared;
      prepared = undefined;
      return Object.assign(ready, { audio });
    },
    keep(element) {
      audio = element;
    },
  };
}

/** The first byte of a stream counts as a play. */
const reportPlay = ({ hls }) =>
  fetch(new URL("160/0.m4s", hls), { headers: { Range: "bytes=0-0" } }).catch(() => {});
