import { openLevel } from "./level.client.js";
import { openPlayback } from "./playback.client.js";
import { drawWaveform, LEVEL, loadSamples } from "./waveform.client.js";

/** Seconds per key press. */
const STEP_S = 5;
const LEAP_S = 30;

/** Milliseconds between looks at a track that is being encoded. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 20_000;

const player = document.querySelector(".player");
const part = (selector) => player.querySelector(selector);
const [audio, button, seek, canvas] = ["audio", ".play", ".seek", "canvas"].map(part);
let durationS = 0;

let samples = LEVEL;
/** Seconds at which the pointer holds the position; `undefined` otherwise. */
let held;
let playback;
let renewed = false;
const applyLevel = openLevel(player, audio);

const clock = (seconds) => {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};

const clamp = (seconds) => Math.min(Math.max(seconds, 0), durationS);
const position = () => clamp(held ?? audio.currentTime);

function show() {
  const at = position();
  part(".elapsed").textContent = clock(at);
  seek.setAttribute("aria-valuenow", String(Math.round(at)));
  seek.setAttribute("aria-valuetext", `${clock(at)} of ${clock(durationS)}`);
  drawWaveform(canvas, samples, durationS ? at / durationS : 0);
}

function showState() {
  const playing = !audio.paused && !audio.ended;
  player.classList.toggle("playing", playing);
  player.classList.toggle("loading", Boolean(playback?.isLoading()));
  button.setAttribute("aria-label", playing ? "Pause" : "Play");
  show();
}

/** Runs on each frame while playing: `timeupdate` comes four times a second, which looks jerky. */
function follow() {
  show();
  if (!audio.paused && !audio.ended) requestAnimationFrame(follow);
}

async function play() {
  part(".trouble").textContent = "";
  playback ??= openPlayback(audio, player.dataset, startOver);
  const started = playback.play();
  showState();
  await started;
  showState();
}

const pause = () => (playback ? playback.pause() : audio.pause());

/** Signed addresses expire, and the page has new ones. If those fail too, nothing can be played. */
async function startOver(at) {
  playback.close();
  playback = undefined;
  if (!renewed && (await renewAddresses())) {
    renewed = true;
    audio.currentTime = at;
    return play();
  }
  renewed = false;
  part(".trouble").textContent = "The track could not be loaded. Check your connection and try again.";
  showState();
}

/** Resolves to whether the page, loaded again, can play this track. */
async function renewAddresses() {
  const { href } = location;
  try {
    const reply = await fetch(href, { headers: { Accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector(".player");
    // Another track of the list plays now.
    if (href !== location.href) return false;
    Object.assign(player.dataset, fresh.dataset);
    return true;
  } catch {
    return false;
  }
}

const isGrowing = () => player.dataset.state === "growing";

let followed = false;

/** Adds what the end of the encode brings: length, waveform and MP3. Playback goes on meanwhile. */
async function followEncode() {
  if (followed) return;
  followed = true;
  for (let waitMs = FIRST_WAIT_MS; isGrowing(); waitMs = Math.min(waitMs * 1.3, LONGEST_WAIT_MS)) {
    await new Promise((wake) => setTimeout(wake, waitMs));
    // A hidden page does not poll.
    if (isGrowing() && !document.hidden && (await renewAddresses()) && !isGrowing()) describe();
  }
  followed = false;
}

function setLength(seconds) {
  durationS = seconds;
  seek.setAttribute("aria-valuemax", String(Math.round(durationS)));
  part(".total").textContent = clock(durationS);
  show();
}

/** While a track is being encoded, its length is what can be played. Some browsers call its duration infinite. */
function grow() {
  if (!isGrowing()) return;
  const { duration, seekable } = audio;
  const seconds = Number.isFinite(duration) ? duration : seekable.length && seekable.end(seekable.length - 1);
  if (seconds > durationS) setLength(seconds);
}

function moveTo(seconds) {
  audio.currentTime = clamp(seconds);
  show();
}

const toggle = () => (audio.paused && !playback?.isLoading() ? play() : pause());

const KEYS = {
  ArrowLeft: () => moveTo(position() - STEP_S),
  ArrowDown: () => moveTo(position() - STEP_S),
  ArrowRight: () => moveTo(position() + STEP_S),
  ArrowUp: () => moveTo(position() + STEP_S),
  PageDown: () => moveTo(position() - LEAP_S),
  PageUp: () => moveTo(position() + LEAP_S),
  Home: () => moveTo(0),
  End: () => moveTo(durationS),
  " ": toggle,
};

seek.addEventListener("keydown", (event) => {
  const action = !event.ctrlKey && !event.metaKey && !event.altKey && KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

const pointed = ({ clientX }) => {
  const { left, width } = seek.getBoundingClientRect();
  return clamp(((clientX - left) / width) * durationS);
};

seek.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  seek.setPointerCapture(event.pointerId);
  held = pointed(event);
  show();
});
seek.addEventListener("pointermove", (event) => {
  if (held === undefined) return;
  held = pointed(event);
  show();
});
seek.addEventListener("pointerup", () => {
  if (held === undefined) return;
  const to = held;
  held = undefined;
  moveTo(to);
  play();
});
seek.addEventListener("pointercancel", () => {
  held = undefined;
  show();
});

button.addEventListener("click", toggle);

for (const event of ["play", "playing", "pause", "waiting", "ended", "seeked", "canplay"])
  audio.addEventListener(event, showState);
for (const event of ["durationchange", "progress"]) audio.addEventListener(event, grow);
audio.addEventListener("playing", () => {
  renewed = false;
  follow();
});
// Hidden pages get no frames.
audio.addEventListener("timeupdate", show);

/** Loads the track that the attributes describe. */
function take() {
  const { title, artist } = player.dataset;
  if ("mediaSession" in navigator) navigator.mediaSession.metadata = new MediaMetadata({ title, artist });
  // The script chooses the source; the attribute is for browsers without scripts.
  audio.removeAttribute("src");
  audio.load();
  describe();
  showState();
  followEncode();
}

/** Shows length and waveform, and sets the level. */
async function describe() {
  applyLevel();
  const { durationMs, trackMs, waveform } = player.dataset;
  part(".growing").hidden = !isGrowing();
  samples = LEVEL;
  setLength(Number(durationMs) / 1000);
  if (!waveform) return;
  const whole = await loadSamples(waveform);
  if (waveform !== player.dataset.waveform) return;
  // Keeps only the audible part of a preview.
  samples = whole.slice(0, Math.max(1, Math.round((whole.length * Number(durationMs)) / Number(trackMs))));
  show();
}

/** Replaces the track: `attributes` are those of its player. */
export function change(attributes, { plays }) {
  playback?.close();
  playback = undefined;
  renewed = false;
  for (const name of Object.keys(player.dataset)) delete player.dataset[name];
  Object.assign(player.dataset, attributes);
  take();
  if (plays) play();
}

if ("mediaSession" in navigator) {
  navigator.mediaSession.setActionHandler("play", play);
  navigator.mediaSession.setActionHandler("pause", pause);
}
audio.controls = false;
part(".controls").hidden = false;
player.classList.add("ready");
new ResizeObserver(show).observe(canvas);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
take();
