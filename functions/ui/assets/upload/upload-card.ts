import { copyFrom } from "../copy.ts";
import { closest, find, findAll } from "../elements.ts";
import { showPlaying } from "../player/player-buttons.ts";
import { ACTS, save, takePlace } from "./upload-acts.ts";
import { showLines } from "./upload-artists.ts";
import { factsText } from "./upload-fields.ts";
import type { Item } from "./upload-item.ts";
import type { Track } from "./upload-replies.ts";
import { savedText, stateText } from "./upload-texts.ts";

/** Shows one file: how far it is, the form of its track, and the track. */

let made = 0;

export class Card {
  readonly element: HTMLElement;
  readonly #item: Item;
  readonly #finalFaults: string[];
  #picture: File | undefined;
  #isFilled = false;
  #sharing: string | undefined;

  /** `finalFaults` are codes of failures that another try does not mend. */
  constructor(item: Item, template: HTMLTemplateElement, finalFaults: string[]) {
    this.#item = item;
    this.#finalFaults = finalFaults;
    this.element = document.importNode(find(template.content, ".upload", HTMLElement), true);
    this.#uniqueIds(`upload-${++made}`);
    this.#fill();
    this.#play.hidden = true;
    // The queue takes every button of the page that plays.
    delete this.#play.dataset.play;
    this.#listen();
  }

  #of = (name: string) => find(this.element, `[data-part="${name}"]`, HTMLElement);
  #radios = () => findAll(this.element, "[type=radio]", HTMLInputElement);

  get #play(): HTMLAnchorElement {
    return find(this.element, ".play-button", HTMLAnchorElement);
  }

  /** The template's ids begin with `card-`. */
  #uniqueIds(prefix: string): void {
    for (const attribute of ["id", "for", "aria-describedby", "name"])
      for (const element of this.element.querySelectorAll(`[${attribute}^="card-"]`)) {
        const ids = element.getAttribute(attribute) ?? "";
        element.setAttribute(attribute, ids.replaceAll(/(^| )card-/g, `$1${prefix}-`));
      }
    for (const radio of this.#radios()) radio.dataset.field = "sharing";
  }

  #fill(): void {
    const { name, values, edited } = this.#item;
    this.#of("name").textContent = name;
    this.#of("progress").setAttribute("aria-label", name);
    for (const button of this.element.querySelectorAll("button"))
      button.setAttribute("aria-label", `${button.textContent.trim()}: ${name}`);
    for (const [field, value = ""] of Object.entries(values)) {
      const input = this.element.querySelector(`[name="${field}"]`);
      if (input instanceof HTMLSelectElement) input.value = value;
      else if (isText(input) && input.value !== value && !(edited.has(field) && input.matches(":focus")))
        fillIn(input, value);
    }
    for (const radio of this.#radios()) radio.checked = radio.value === values.sharing;
  }

  #listen(): void {
    const item = this.#item;
    this.element.addEventListener("input", ({ target }) => {
      const isField = isText(target) || target instanceof HTMLSelectElement;
      if (!isField || target.type === "file") return;
      item.edit(target.dataset.field ?? target.name, target.value);
      this.update();
    });
    this.element.addEventListener("change", ({ target }) => {
      if (!(target instanceof HTMLInputElement)) return;
      const picture = target.files?.[0];
      if (picture && !item.setArtwork(picture)) target.value = "";
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      save(item);
    });
    this.element.addEventListener("click", ({ target }) => {
      const button = closest(target, "button[data-do]", HTMLButtonElement);
      if (button?.dataset.do === "copy") this.#copy();
      else if (button?.dataset.do === "replace") this.#replace(button);
      else ACTS.get(button?.dataset.do)?.(item);
    });
  }

  async #copy(): Promise<void> {
    this.#of("copied").textContent = await copyFrom(this.#link);
  }

  /** Two presses are one. A refusal leaves both tracks as they are, and may be mended. */
  async #replace(button: HTMLButtonElement): Promise<void> {
    button.disabled = true;
    await takePlace(this.#item, Number(button.dataset.track));
    button.disabled = false;
  }

  get #link(): HTMLInputElement {
    return find(this.element, "[data-part=link]", HTMLInputElement);
  }

  update(): void {
    const item = this.#item;
    const { phase, track } = item;
    const isBack = this.element.dataset.phase === "elsewhere" && phase !== "elsewhere";
    // A release publishes its tracks together.
    const isPublished = track?.sharing !== this.#sharing;
    this.#sharing = track?.sharing;
    this.element.dataset.phase = phase;
    if (isBack || isPublished) this.#fill();
    if (item.isRead && !this.#isFilled) {
      this.#isFilled = true;
      this.#fill();
    }
    this.#of("state").textContent = stateText(item);
    const progress = find(this.element, "progress", HTMLProgressElement);
    progress.value = track ? (track.encoding?.progress ?? 0) : item.size ? item.bytes / item.size : 0;
    progress.hidden = ["finished", "failed", "removing", "lost", "elsewhere"].includes(phase);
    show(this.#of("problem"), item.problem);
    show(this.#of("facts"), factsText(item.values));
    show(this.#of("saved"), savedText(item));
    showLines(this.element, item.values);
    this.#showButtons();
    this.#showProblems();
    this.#showPicture();
    if (track) this.#showTrack(track);
  }

  #showButtons(): void {
    const { phase, track } = this.#item;
    const fault = track?.encoding?.reason?.code ?? "";
    const isHopeless = this.#item.isHopeless || this.#finalFaults.includes(fault);
    const shown: Record<string, boolean> = {
      pause: phase === "waiting" || phase === "sending",
      resume: phase === "paused",
      retry: phase === "stalled" || (phase === "failed" && !isHopeless),
      remove: !["elsewhere", "joining", "creating", "encoding", "finished", "removing"].includes(phase),
    };
    const buttonOf = (name: string) => find(this.element, `[data-do="${name}"]`, HTMLButtonElement);
    const names = Object.keys(shown);
    const hadFocus = names.find((name) => buttonOf(name) === document.activeElement);
    for (const [name, is] of Object.entries(shown)) buttonOf(name).hidden = !is;
    if (!hadFocus || shown[hadFocus]) return;
    // A button that vanishes takes the focus with it. Pause and Resume take each other's place.
    const next = names.find((name) => shown[name] && name !== "remove");
    (next ? buttonOf(next) : this.#of("name")).focus();
  }

  #showProblems(): void {
    let fault: HTMLElement | undefined;
    for (const line of findAll(this.element, "[data-problem]", HTMLElement)) {
      const text = this.#item.problems[line.dataset.problem ?? ""];
      show(line, text && `${line.dataset.label} ${text}`);
      const field = find(this.element, `[aria-describedby~="${line.id}"]`, HTMLElement);
      if (!text) field.removeAttribute("aria-invalid");
      else if (!field.hasAttribute("aria-invalid")) {
        field.setAttribute("aria-invalid", "true");
        field.closest("details")?.setAttribute("open", "");
        fault ??= field;
      }
    }
    // The pressed button is below what was refused. Nobody is led away from another field.
    if (document.activeElement?.matches("[type=submit]") && this.element.contains(document.activeElement))
      fault?.focus();
  }

  #showPicture(): void {
    const { artwork } = this.#item;
    if (!artwork || artwork === this.#picture) return;
    this.#picture = artwork;
    const image = find(this.element, "[data-part=picture]", HTMLImageElement);
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(artwork);
    image.hidden = false;
  }

  #showTrack({ id, title, metadata_artist, permalink_url, sharing, secret_token, state, encoding }: Track) {
    const isPrivate = sharing === "private" && secret_token;
    this.#of("track").hidden = state === "failed";
    const name = this.#of("name");
    if (name.textContent !== title) name.textContent = title;
    const page = find(this.element, "[data-part=page]", HTMLAnchorElement);
    page.href = permalink_url;
    page.hidden = false;
    const link = isPrivate ? `${permalink_url}/${secret_token}` : permalink_url;
    if (this.#link.value !== link) this.#of("copied").textContent = "";
    this.#link.value = link;
    this.#of("link-hint").textContent = isPrivate
      ? "Private: only people with this link can listen."
      : "Public: anyone can find and hear it.";
    const replace = this.element.querySelector("[data-do=replace]");
    if (replace instanceof HTMLElement) replace.hidden = state !== "finished" || sharing !== "private";
    const play = this.#play;
    play.hidden = state !== "finished" && !encoding?.segments_ready;
    if (play.hidden) return;
    play.href = permalink_url;
    const isNamed = play.dataset.play && play.dataset.title === title;
    Object.assign(play.dataset, { play: String(id), title, artist: metadata_artist });
    if (!isNamed) showPlaying();
  }
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

const isText = (target: EventTarget | null): target is TextField =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** A field that is selected whole is about to be typed over, and stays selected. */
export function fillIn(input: TextField, value: string): void {
  const { value: before, selectionStart, selectionEnd } = input;
  const isSelected = input.matches(":focus") && selectionStart === 0 && selectionEnd === before.length;
  input.value = value;
  if (isSelected) input.select();
}

function show(element: HTMLElement, text: string | undefined): void {
  if (element.textContent !== (text ?? "")) element.textContent = text ?? "";
  element.hidden = !text;
}
