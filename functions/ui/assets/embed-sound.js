import { readChoice } from "./choices.ts";
import { EVEN_LEVEL, gainOf } from "./loudness.js";
import { openPlayback, playsSince } from "./playback.js";
import { askPatiently } from "./player-patience.js";
import { reasonOf, UNPLAYED, UNREACHED } from "./player-trouble.js";

/** Milliseconds between looks at a track that is being encoded. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 20_000;

/**
 * Plays one track after the other in `audio`. `tell` hears "play", "pause", "ended", "seek", "playProgress",
 * "loadProgress", "error" with its reason and, whenever anything changes, "state". `renew` asks for the present track anew.
 */
export function openSound(audio, { tell, renew }) {
  let played;
  let playback;
  /** The listener's wish. */
  let wanted = false;
  /** Whether the last that was told is "play". */
  let sounds = false;
  let isSeeking = false;
  let renewed = false;
  let renewedAtS = 0;
  let isRenewing = false;
  /** Whether another track is on its way. Then this one stays silent, and the listener's wish is meant for the other. */
  let isLeaving = false;
  let durationS = 0;
  let volume = 1;

  function setDuration(seconds) {
    durationS = seconds;
    tell("state");
  }

  function applyVolume() {
    const lufs = played?.sound?.loudness?.integrated;
    audio.volume = volume * (typeof lufs === "number" && readChoice(EVEN_LEVEL) ? gainOf(lufs) : 1);
  }

  async function play() {
    if (!isLeaving && !played?.sources) return tell("error", played?.trouble ?? UNREACHED);
    wanted = true;
    if (isRenewing || isLeaving) return tell("state");
    playback ??= openPlayback(audio, played.sources, startOver);
    const started = playback;
    tell("state");
    await started.play();
    // The browser may want a press of the listener's first.
    if (started === playback && !isLeaving && !started.isWanted()) wanted = false;
    tell("state");
  }

  function pause() {
    wanted = false;
    playback?.pause();
    tell("state");
  }

  /** Signed addresses expire, and the page has new ones. If those fail too, nothing can be played. */
  async function startOver(at, isSilent) {
    const before = played;
    playback.close();
    playback = undefined;
    // The listener may seek while the answer is on its way.
    audio.currentTime = at;
    isRenewing = true;
    tell("state");
    const isAwaited = () => wanted && played === before;
    const unanswered = (error) => ({ trouble: reasonOf(error) });
    const fresh = renewed ? undefined : await askPatiently(renew, isAwaited).catch(unanswered);
    if (played !== before) return;
    isRenewing = false;
    if (isLeaving) return;
    if (fresh?.sources) {
      // Those that are fetched during a pause may have expired when it ends.
      renewed = wanted;
      renewedAtS = at;
      played = fresh;
      return wanted ? play() : stopped();
    }
    renewed = false;
    wanted = false;
    // A host that was silent may answer after all.
    audio.pause();
    stopped();
    tell("error", fresh?.trouble || (isSilent ? UNREACHED : UNPLAYED));
  }

  function stopped() {
    if (sounds) tell("pause");
    sounds = false;
    tell("state");
  }

  const isGrowing = () => played?.sources?.state === "growing";

  /** Adds what the end of the encode brings: length and waveform. Playback goes on meanwhile. */
  async function followEncode() {
    const { id } = played.sound;
    for (let waitMs = FIRST_WAIT_MS; isGrowing(); waitMs = Math.min(waitMs * 1.3, LONGEST_WAIT_MS)) {
      await new Promise((wake) => setTimeout(wake, waitMs));
      // A hidden page does not poll.
      const fresh = document.hidden ? undefined : await renew().catch((error) => error);
      // Deleted, or the encode has failed: nothing more comes.
      const isOver = fresh?.status === 404 || fresh?.sound?.state === "failed";
      if (isOver || played.sound?.id !== id) return;
      if (!fresh?.sources || fresh.sources.state === "growing") continue;
      played = fresh;
      applyVolume();
      setDuration(played.durationMs / 1000);
    }
  }

  /** While a track is being encoded, its length is what can be played. Some browsers call its duration infinite. */
  function grow() {
    if (!isGrowing()) return;
    const { duration, seekable } = audio;
    const seconds = Number.isFinite(duration)
      ? duration
      : seekable.length && seekable.end(seekable.length - 1);
    if (seconds > durationS) setDuration(seconds);
  }

  audio.addEventListener("playing", () => {
    if (!sounds) tell("play");
    sounds = true;
  });
  audio.addEventListener("pause", () => {
    // Media keys and the system pause too. A failing source is no pause, the end of a track is told as such, and
    // playback may go on already.
    if (audio.ended || !audio.paused || audio.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    if (isLeaving) return stopped();
    wanted = false;
    playback?.pause();
    stopped();
  });
  audio.addEventListener("ended", () => {
    // By the standard, a paused track ends as well when the listener moves there.
    if (!wanted || isLeaving) return tell("state");
    wanted = false;
    sounds = false;
    tell("playProgress");
    tell("ended");
    tell("state");
  });
  audio.addEventListener("seeked", () => {
    if (isSeeking) tell("seek");
    isSeeking = false;
    tell("state");
  });
  audio.addEventListener("timeupdate", () => {
    if (playsSince(audio, renewedAtS)) renewed = false;
    if (sounds && !audio.paused) tell("playProgress");
    tell("state");
  });
  audio.addEventListener("progress", () => tell("loadProgress"));
  audio.addEventListener("play", () => {
    // The system may play on after a call.
    if (playback && !audio.paused) wanted = true;
    tell("state");
  });
  for (const event of ["playing", "waiting", "canplay"]) audio.addEventListener(event, () => tell("state"));
  for (const event of ["durationchange", "progress"]) audio.addEventListener(event, grow);

  return {
    play,
    pause,
    /** Pauses until `change` brings the other track, or `stay` returns to this one. */
    leave() {
      playback?.pause();
      isLeaving = true;
      wanted = true;
      tell("state");
    },
    stay() {
      isLeaving = false;
      wanted = false;
      tell("state");
    },
    /** Takes another track. It fetches nothing of it before it plays. */
    change(next) {
      playback?.close();
      playback = undefined;
      wanted = false;
      renewed = false;
      isRenewing = false;
      isLeaving = false;
      isSeeking = false;
      played = next;
      // The script chooses the source; the attribute is for browsers without scripts.
      audio.removeAttribute("src");
      audio.load();
      audio.currentTime = 0;
      if (sounds) stopped();
      applyVolume();
      setDuration(played.durationMs / 1000);
      if (isGrowing()) followEncode();
    },
    seek(seconds) {
      isSeeking = true;
      const to = Math.min(Math.max(seconds, 0), durationS);
      if (playback) playback.seek(to);
      else audio.currentTime = to;
      // Nothing is loaded yet: playback will begin there.
      if (audio.readyState === HTMLMediaElement.HAVE_NOTHING) audio.dispatchEvent(new Event("seeked"));
    },
    setVolume(factor) {
      volume = Math.min(Math.max(factor, 0), 1);
      applyVolume();
    },
    played: () => played,
    volume: () => volume,
    /** Seconds, like the position. */
    duration: () => durationS,
    position: () => Math.min(audio.currentTime, durationS),
    /** The part that is loaded, from 0 to 1. */
    loaded() {
      const { buffered } = audio;
      const end = buffered.length ? buffered.end(buffered.length - 1) : 0;
      return durationS ? Math.min(1, end / durationS) : 0;
    },
    isPaused: () => !wanted,
    isLoading: () => isRenewing || isLeaving || Boolean(playback?.isLoading()),
  };
}
