import { copyFrom } from "./copy.ts";
import { showPlaying } from "./player-buttons.ts";
import { factsText } from "./upload-fields.js";
import { bytesText, percentText, timeText } from "./upload-kinds.js";
import { isMoving } from "./upload-list.js";

/** Shows one file: how far it is, the form of its track, and the track. */

export const OFFLINE = "No connection.";

let made = 0;

export class Card {
  #item;
  #picture;
  #finalFaults;

  /** `finalFaults` are codes of failures that another try does not mend. */
  constructor(item, template, finalFaults) {
    this.#item = item;
    this.#finalFaults = finalFaults;
    this.element = template.content.firstElementChild.cloneNode(true);
    this.#uniqueIds(`upload-${++made}`);
    this.#fill();
    const play = this.element.querySelector(".play-button");
    play.hidden = true;
    // The queue takes every button of the page that plays.
    delete play.dataset.play;
    this.#listen();
  }

  #of = (name) => this.element.querySelector(`[data-part="${name}"]`);
  #field = (name) => this.element.querySelector(`[name="${name}"]`);

  /** The template's ids begin with `card-`. */
  #uniqueIds(prefix) {
    for (const attribute of ["id", "for", "aria-describedby", "name"])
      for (const element of this.element.querySelectorAll(`[${attribute}^="card-"]`))
        element.setAttribute(
          attribute,
          element.getAttribute(attribute).replaceAll(/(^| )card-/g, `$1${prefix}-`),
        );
    for (const radio of this.element.querySelectorAll("[type=radio]")) radio.dataset.field = "sharing";
  }

  #fill() {
    const { name, values, edited } = this.#item;
    this.#of("name").textContent = name;
    this.#of("progress").setAttribute("aria-label", name);
    for (const button of this.element.querySelectorAll("button"))
      button.setAttribute("aria-label", `${button.textContent.trim()}: ${name}`);
    for (const [field, value] of Object.entries(values)) {
      const input = this.#field(field);
      if (input && input.value !== value && !(edited.has(field) && input.matches(":focus")))
        fillIn(input, value);
    }
    for (const radio of this.element.querySelectorAll("[type=radio]"))
      radio.checked = radio.value === values.sharing;
  }

  #listen() {
    const item = this.#item;
    this.element.addEventListener("input", ({ target }) => {
      if (target.type === "file") return;
      item.edit(target.dataset.field ?? target.name, target.value);
      this.update();
    });
    this.element.addEventListener("change", ({ target }) => {
      if (target.type === "file" && target.files[0] && !item.setArtwork(target.files[0])) target.value = "";
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      item.save();
    });
    this.element.addEventListener("click", ({ target }) => {
      const act = target.closest?.("button[data-do]")?.dataset.do;
      if (act === "copy") this.#copy();
      else if (act) item[act]();
    });
  }

  async #copy() {
    this.#of("copied").textContent = await copyFrom(this.#of("link"));
  }

  update() {
    const item = this.#item;
    const { phase, track } = item;
    const isBack = this.element.dataset.phase === "elsewhere" && phase !== "elsewhere";
    this.element.dataset.phase = phase;
    if (isBack) this.#fill();
    if (item.isRead && !this.isFilled) {
      this.isFilled = true;
      this.#fill();
    }
    this.#of("state").textContent = stateText(item);
    const progress = this.#of("progress");
    progress.value = track ? (track.encoding?.progress ?? 0) : item.size ? item.bytes / item.size : 0;
    progress.hidden = ["finished", "failed", "removing", "lost", "elsewhere"].includes(phase);
    show(this.#of("problem"), item.problem);
    show(this.#of("facts"), factsText(item.values));
    show(this.#of("saved"), savedText(item));
    this.#showButtons();
    this.#showProblems();
    this.#showPicture();
    if (track) this.#showTrack(track);
  }

  #showButtons() {
    const { phase, track } = this.#item;
    const isHopeless = this.#item.isHopeless || this.#finalFaults.includes(track?.encoding?.reason?.code);
    const shown = {
      pause: phase === "waiting" || phase === "sending",
      resume: phase === "paused",
      retry: phase === "stalled" || (phase === "failed" && !isHopeless),
      remove: !["elsewhere", "joining", "creating", "encoding", "finished", "removing"].includes(phase),
    };
    const buttonOf = (name) => this.element.querySelector(`[data-do="${name}"]`);
    const names = Object.keys(shown);
    const hadFocus = names.find((name) => buttonOf(name) === document.activeElement);
    for (const name of names) buttonOf(name).hidden = !shown[name];
    if (!hadFocus || shown[hadFocus]) return;
    // A button that vanishes takes the focus with it. Pause and Resume take each other's place.
    const next = names.find((name) => shown[name] && name !== "remove");
    (next ? buttonOf(next) : this.#of("name")).focus();
  }

  #showProblems() {
    for (const line of this.element.querySelectorAll("[data-problem]")) {
      const text = this.#item.problems[line.dataset.problem];
      show(line, text && `${line.dataset.label} ${text}`);
      const field = this.element.querySelector(`[aria-describedby~="${line.id}"]`);
      if (!text) field.removeAttribute("aria-invalid");
      else if (!field.hasAttribute("aria-invalid")) {
        field.setAttribute("aria-invalid", "true");
        field.closest("details")?.setAttribute("open", "");
      }
    }
  }

  #showPicture() {
    const { artwork } = this.#item;
    if (artwork === this.#picture) return;
    this.#picture = artwork;
    const image = this.#of("picture");
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(artwork);
    image.hidden = false;
  }

  #showTrack({ id, title, metadata_artist, permalink_url, sharing, secret_token, state, encoding }) {
    const isPrivate = sharing === "private" && secret_token;
    this.#of("track").hidden = state === "failed";
    const name = this.#of("name");
    if (name.textContent !== title) name.textContent = title;
    this.#of("page").href = permalink_url;
    this.#of("page").hidden = false;
    const link = isPrivate ? `${permalink_url}/${secret_token}` : permalink_url;
    if (this.#of("link").value !== link) this.#of("copied").textContent = "";
    this.#of("link").value = link;
    this.#of("link-hint").textContent = isPrivate
      ? "Private: only people with this link can listen."
      : "Public: anyone can find and hear it.";
    const play = this.element.querySelector(".play-button");
    play.hidden = state !== "finished" && !encoding?.segments_ready;
    if (play.hidden) return;
    play.href = permalink_url;
    const isNamed = play.dataset.play && play.dataset.title === title;
    Object.assign(play.dataset, { play: String(id), title, artist: metadata_artist });
    if (!isNamed) showPlaying();
  }
}

/** A field that is selected whole is about to be typed over, and stays selected. */
function fillIn(input, value) {
  const { value: before, selectionStart, selectionEnd } = input;
  const isSelected = input.matches(":focus") && selectionStart === 0 && selectionEnd === before?.length;
  input.value = value;
  if (isSelected) input.select();
}

function show(element, text) {
  if (element.textContent !== (text ?? "")) element.textContent = text ?? "";
  element.hidden = !text;
}

function savedText({ isSaved, track, edited, values }) {
  if (!edited.size) return undefined;
  if (!isSaved) return "Not saved yet.";
  if (track) return "Saved.";
  return values.sharing === "public"
    ? "Saved. It goes public once it is uploaded."
    : "Saved for when it is uploaded.";
}

function stateText(item) {
  const { phase, bytes, size, speed, track } = item;
  const amount = `${bytesText(bytes)} of ${bytesText(size)}`;
  if (isMoving(item) && !navigator.onLine) return `${OFFLINE} It goes on by itself. ${amount}`;
  const perSecond = speed.perSecond;
  const texts = {
    lost: `${bytesText(size)}. Choose the same file again to go on; only what is missing is sent.`,
    elsewhere: `${bytesText(size)}. Open in another tab of this browser: go on with it there.`,
    waiting: item.isHeldBack
      ? `Waiting until one of five begun files is there. ${bytesText(size)}`
      : `Waiting. ${bytesText(size)}`,
    sending: perSecond
      ? `${amount} · ${bytesText(perSecond)}/s · ${timeText((size - bytes) / perSecond)}`
      : amount,
    paused: `Paused. ${amount}`,
    stalled: `Stopped. ${amount}`,
    joining: "Almost there …",
    creating: "Almost there …",
    unfit: "Uploaded. A field needs another look.",
    encoding: `Being encoded: ${percentText(track?.encoding?.progress ?? 0)}`,
    finished: "Ready",
    failed: "Encoding failed",
    removing: "Being removed …",
  };
  return texts[phase];
}

/** One line about all files. */
export function totalText(items) {
  const sent = items.filter(({ phase }) => phase !== "lost" && phase !== "elsewhere");
  if (sent.length < 2) return "";
  const bytes = sent.reduce((sum, item) => sum + item.bytes, 0);
  const size = sent.reduce((sum, item) => sum + item.size, 0);
  const perSecond = sent
    .filter(({ phase }) => phase === "sending")
    .reduce((sum, { speed }) => sum + speed.perSecond, 0);
  // The last bytes may be on their way still.
  const uploaded = sent.filter(({ upload, track }) => track || upload?.status === "ready").length;
  const counts = `${uploaded} of ${sent.length} files uploaded, ${bytesText(bytes)} of ${bytesText(size)}`;
  if (!perSecond || !sent.some(isMoving)) return counts;
  return `${counts} · ${bytesText(perSecond)}/s · ${timeText((size - bytes) / perSecond)}`;
}
