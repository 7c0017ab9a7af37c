import { closest, find, findAll, findIfAny } from "../elements.ts";
import { fillIn } from "./upload-card.ts";
import type { Item } from "./upload-item.ts";
import { MAX_PICTURE_BYTES } from "./upload-kinds.ts";
import { items } from "./upload-list.ts";
import { tell } from "./upload-news.ts";
import { beginRelease, currentRelease, endRelease, isFree, type Release } from "./upload-release.ts";
import { proceed } from "./upload-release-publish.ts";
import { releaseText, stateText } from "./upload-texts.ts";

/** Shows the release: the offer to make one, its form, and its page once it is published. */

/** Fewer files make no release. */
const FEWEST = 2;

export class ReleaseForm {
  readonly #desk: HTMLElement;
  #shown: Release | undefined;
  #rows = new Map<Item, HTMLElement>();
  #picture: File | undefined;
  /** How far the publication was said to be. */
  #saidState = "";
  /** Whether the button was pressed and no answer has come yet. */
  #isPressed = false;

  constructor(desk: HTMLElement, signal: AbortSignal) {
    this.#desk = desk;
    desk.addEventListener("click", ({ target }) => this.#press(target), { signal });
    this.#form.addEventListener("input", ({ target }) => this.#type(target), { signal });
    this.#form.addEventListener("change", ({ target }) => this.#choose(target), { signal });
    this.#form.addEventListener("submit", (event) => this.#submit(event), { signal });
  }

  #part = (name: string) => find(this.#desk, `[data-release="${name}"]`, HTMLElement);

  get #form(): HTMLFormElement {
    return find(this.#desk, "[data-release=form]", HTMLFormElement);
  }

  #press(target: EventTarget | null): void {
    const button = closest(target, "button", HTMLButtonElement);
    if (button?.dataset.offer) {
      beginRelease(button.dataset.offer);
      this.update();
      this.#part("head").focus();
    }
    if (button?.dataset.release === "cancel") {
      endRelease();
      this.update();
      find(this.#part("offer"), "button", HTMLElement).focus();
    }
    if (button?.dataset.move) this.#move(button, button.dataset.move);
  }

  #move(button: HTMLButtonElement, how: string): void {
    const release = currentRelease();
    const [item] = [...this.#rows].find(([, row]) => row.contains(button)) ?? [];
    if (!release || !item) return;
    if (how === "leave") {
      release.leaveOut(item);
      this.update();
      this.#part("head").focus();
      this.#say(`${item.values.title} is left out. It stays private.`);
      return;
    }
    const place = release.move(item, how === "up" ? -1 : 1);
    this.update();
    // A button at the end of its way is disabled, and a moved one loses the focus.
    const back = find(
      button.closest("li") ?? this.#desk,
      `[data-move=${how === "up" ? "down" : "up"}]`,
      HTMLElement,
    );
    (button.disabled ? back : button).focus();
    this.#say(`${item.values.title} is number ${place + 1} of ${release.items.length}.`);
  }

  #type(target: EventTarget | null): void {
    const release = currentRelease();
    if (!release || !isField(target) || target.type === "file") return;
    const [item] = [...this.#rows].find(([, row]) => row.contains(target)) ?? [];
    if (item) item.edit("title", target.value);
    else release.edit(target.name, target.value);
  }

  #choose(target: EventTarget | null): void {
    const picture = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    const release = currentRelease();
    if (!picture || !release) return;
    if (picture.size <= MAX_PICTURE_BYTES) release.setArtwork(picture);
    else {
      release.problems.artwork_data = "may have 10 MB at most";
      tell();
    }
  }

  #submit(event: Event): void {
    event.preventDefault();
    const release = currentRelease();
    if (!release) return;
    this.#isPressed = true;
    release.isWanted = true;
    release.problems = {};
    release.changed();
    this.update();
  }

  #say(text: string): void {
    this.#part("status").textContent = text;
  }

  /** Shows what has changed, and goes on with what was begun. */
  update(): void {
    const release = currentRelease();
    release?.refresh();
    const isOpen = release !== undefined && !release.published;
    this.#desk.toggleAttribute("data-releasing", isOpen);
    this.#part("offer").hidden = isOpen || items.filter(isFree).length < FEWEST;
    this.#part("desk").hidden = !release;
    if (!release) {
      this.#shown = undefined;
      return;
    }
    const isNew = release !== this.#shown;
    this.#shown = release;
    if (isNew) this.#clear();
    this.#form.hidden = Boolean(release.published);
    this.#showFields(release, isNew);
    this.#showTracks(release);
    this.#showPicture(release);
    this.#showProblems(release);
    this.#showState(release);
    proceed(release);
  }

  /** Takes away what an earlier release has left. */
  #clear(): void {
    this.#rows.clear();
    this.#part("tracks").replaceChildren();
    this.#form.reset();
    this.#picture = undefined;
    this.#part("picture").hidden = true;
  }

  #showFields({ values, edited }: Release, isNew: boolean): void {
    for (const field of findAll(this.#form, "[name]", HTMLElement)) {
      if (!isField(field) || field.type === "file") continue;
      const value = values[field.name] ?? "";
      if (field.value === value || (!isNew && edited.has(field.name))) continue;
      if (field instanceof HTMLInputElement) fillIn(field, value);
      else field.value = value;
    }
  }

  #showTracks(release: Release): void {
    const members = release.items;
    const list = this.#part("tracks");
    for (const [item, row] of this.#rows)
      if (!members.includes(item)) {
        row.remove();
        this.#rows.delete(item);
      }
    for (const [at, item] of members.entries()) {
      const row = this.#rows.get(item) ?? this.#newRow(item);
      if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
      this.#showRow(row, item, at, members.length);
    }
  }

  #newRow(item: Item): HTMLElement {
    const template = find(this.#desk, "[data-release=row]", HTMLTemplateElement);
    const row = find(document.importNode(template.content, true), "li", HTMLElement);
    this.#rows.set(item, row);
    return row;
  }

  #showRow(row: HTMLElement, item: Item, at: number, count: number): void {
    const { values, problems } = item;
    const field = find(row, "input", HTMLInputElement);
    field.setAttribute("aria-label", `Title of track ${at + 1}`);
    if (problems.title) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (field.value !== values.title && document.activeElement !== field) field.value = values.title;
    find(row, "[data-release=state]", HTMLElement).textContent = problems.title
      ? `Title ${problems.title}`
      : stateText(item);
    const words: Record<string, string> = { up: "up", down: "down" };
    for (const button of findAll(row, "button", HTMLButtonElement)) {
      const how = button.dataset.move ?? "";
      button.setAttribute(
        "aria-label",
        how in words ? `Move ${values.title} ${words[how]}` : `Leave out ${values.title}`,
      );
      button.disabled = (how === "up" && at === 0) || (how === "down" && at === count - 1);
    }
  }

  #showPicture({ artwork }: Release): void {
    if (!artwork || artwork === this.#picture) return;
    this.#picture = artwork;
    const image = find(this.#desk, "[data-release=picture]", HTMLImageElement);
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(artwork);
    image.hidden = false;
  }

  #showProblems({ problem, problems }: Release): void {
    const lines = findAll(this.#form, "[data-problem]", HTMLElement);
    for (const line of lines) {
      const text = problems[line.dataset.problem ?? ""];
      line.hidden = !text;
      line.textContent = text ? `${line.dataset.label} ${text}` : "";
      const field = find(this.#form, `[aria-describedby~="${line.id}"]`, HTMLElement);
      if (text) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
    const place = this.#part("problem");
    const isNew = place.textContent !== (problem ?? "");
    if (isNew) place.textContent = problem ?? "";
    place.hidden = !problem;
    if (isNew && problem) this.#leadTo(findIfAny(this.#form, "[aria-invalid]", HTMLElement) ?? place);
  }

  /** The pressed button is far below what was refused. Nobody is led away from another field. */
  #leadTo(fault: HTMLElement): void {
    const { activeElement } = document;
    // Safari's buttons do not take the focus.
    const isAtButton = activeElement === document.body || activeElement?.matches("[type=submit]");
    if (this.#isPressed && isAtButton) fault.focus();
    this.#isPressed = false;
  }

  #showState(release: Release): void {
    const { published } = release;
    const button = find(this.#form, "[type=submit]", HTMLButtonElement);
    button.textContent = release.values.publish_at ? "Schedule" : "Publish";
    if (!published) {
      const text = releaseText(release);
      if (text !== this.#saidState) this.#say(text);
      this.#saidState = text;
      return;
    }
    if (this.#part("status").querySelector("a")) return;
    const link = document.createElement("a");
    link.href = published.url;
    link.textContent = published.title;
    const when = published.publishAt && new Date(published.publishAt).toLocaleString();
    this.#part("status").replaceChildren(when ? `Becomes public on ${when}: ` : "Published: ", link);
    this.#part("head").focus();
  }
}

type Field = HTMLInputElement | HTMLSelectElement;

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
