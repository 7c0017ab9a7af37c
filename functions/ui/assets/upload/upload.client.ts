import { closest, find } from "../elements.ts";
import { setApi } from "./upload-api.ts";
import { Card } from "./upload-card.ts";
import { filesOf } from "./upload-drop.ts";
import type { Item, Phase } from "./upload-item.ts";
import { add, addBegun, clearAway } from "./upload-items.ts";
import { refusalOf } from "./upload-kinds.ts";
import { isHalted, isMoving, isUnder, items } from "./upload-list.ts";
import { listen } from "./upload-news.ts";
import { currentRelease, recallRelease } from "./upload-release.ts";
import { ReleaseForm } from "./upload-release-form.ts";
import { pause, resume } from "./upload-sending.ts";
import { OFFLINE, totalText } from "./upload-texts.ts";

/** The page where people upload. Files outlive it while the site swaps pages: see `upload-list.ts`. */

/** Steps of the whole that screen readers hear. */
const STEP = 0.25;

/** Phases that screen readers have heard, by item. They outlive the page. */
const announced = new Map<string, Phase>();
/** Bytes that were there at a file's last stop. One that is tried again in vain is not heard each minute. */
const stoppedAt = new Map<string, number>();
let announcedStep = 0;

/** Milliseconds after which speed and time left are shown anew, even if nothing moves. */
const SPEED_MS = 1000;

const isAway = isUnder("lost", "elsewhere");
const isPausable = isUnder("sending", "waiting");
const isFinished = isUnder("finished");

class UploadDesk extends HTMLElement {
  readonly #cards = new Map<Item, Card>();
  #release: ReleaseForm | undefined;
  #end = new AbortController();
  #clock = 0;
  #stopListening = () => {};

  connectedCallback(): void {
    this.#cards.clear();
    this.#part("list").replaceChildren();
    setApi(this.dataset.api ?? "");
    addBegun(JSON.parse(this.dataset.begun ?? "[]"));
    recallRelease();
    this.#stopListening();
    this.#stopListening = listen(() => this.#update());
    this.#clock = setInterval(() => items.some(isMoving) && this.#update(), SPEED_MS);
    this.#end = new AbortController();
    const { signal } = this.#end;
    this.#release = new ReleaseForm(this, signal);
    this.addEventListener("change", ({ target }) => target === this.#files && this.#choose(), { signal });
    this.addEventListener("click", (event) => this.#act(event), { signal });
    // The whole window takes files: a drop beside the field would open the file in place of the page.
    window.addEventListener("dragover", (event) => this.#drag(event, true), { signal });
    window.addEventListener("dragleave", (event) => this.#drag(event, Boolean(event.relatedTarget)), {
      signal,
    });
    window.addEventListener("drop", (event) => this.#drop(event), { signal });
    const news = { offline: `${OFFLINE} Uploads go on by themselves.`, online: "The connection is back." };
    for (const [name, text] of Object.entries(news))
      window.addEventListener(name, () => this.#showConnection(text), { signal });
    this.#update();
    // Chosen before this script was there.
    if (this.#files.files?.length) this.#choose();
  }

  disconnectedCallback(): void {
    this.#stopListening();
    clearInterval(this.#clock);
    this.#end.abort();
  }

  #part = (name: string) => find(this, `[data-desk="${name}"]`, HTMLElement);

  get #files(): HTMLInputElement {
    return find(this, "[data-desk=files]", HTMLInputElement);
  }

  #choose(): void {
    this.#take([...(this.#files.files ?? [])]);
    this.#files.value = "";
  }

  #drag(event: DragEvent, isOver: boolean): void {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#part("drop").classList.toggle("over", isOver);
  }

  async #drop(event: DragEvent): Promise<void> {
    this.#drag(event, false);
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    const { files, refusals } = await filesOf(event.dataTransfer);
    this.#take(files, refusals);
  }

  #take(files: File[], refusedFolders: string[] = []): void {
    const refusals = files.map((file) => refusalOf(file, Number(this.dataset.maxBytes)));
    const lines = [...refusedFolders, ...refusals.filter((text) => text !== undefined)].map((text) => {
      const line = document.createElement("li");
      line.textContent = text;
      return line;
    });
    this.#part("refused").hidden = !lines.length;
    this.#part("refusals").replaceChildren(...lines);
    add(files.filter((_, index) => !refusals[index]));
  }

  #act({ target }: Event): void {
    const act = closest(target, "button[data-all]", HTMLButtonElement)?.dataset.all;
    if (!act) return;
    for (const item of [...items]) {
      if (act === "pause" && isPausable(item)) pause(item);
      if (act === "resume" && isHalted(item)) resume(item);
      if (act === "clear" && isFinished(item)) clearAway(item);
    }
  }

  #update(): void {
    for (const [item, card] of this.#cards) {
      if (items.includes(item)) continue;
      const { element } = card;
      const hadFocus = element.contains(document.activeElement);
      const beside = element.nextElementSibling ?? element.previousElementSibling;
      element.remove();
      this.#cards.delete(item);
      if (hadFocus) (beside?.querySelector("h2") ?? this.#files).focus();
    }
    for (const item of items) (this.#cards.get(item) ?? this.#newCard(item)).update();
    this.#showTotal();
    this.#release?.update();
    this.#announce();
  }

  #newCard(item: Item): Card {
    const finalFaults = this.dataset.finalFaults?.split(" ") ?? [];
    const card = new Card(item, find(this, "[data-desk=template]", HTMLTemplateElement), finalFaults);
    this.#cards.set(item, card);
    this.#part("list").append(card.element);
    return card;
  }

  #showTotal(): void {
    this.#part("total").textContent = totalText(items);
    this.#showButton("pause", items.some(isPausable));
    this.#showButton("resume", items.some(isHalted));
    // A release that is not published yet needs its files.
    const isReleasing = Boolean(currentRelease() && !currentRelease()?.published);
    find(this, "[data-all=clear]", HTMLElement).hidden = isReleasing || !items.some(isFinished);
  }

  #showButton(name: string, isUseful: boolean): void {
    find(this, `[data-all="${name}"]`, HTMLElement).hidden = items.length < 2 || !isUseful;
  }

  /** Says what matters, not every percent. */
  #announce(): void {
    const news: string[] = [];
    for (const { id, name, phase, problem, bytes } of items) {
      if (announced.get(id) === phase) continue;
      announced.set(id, phase);
      if (phase === "stalled") {
        if (stoppedAt.get(id) === bytes) continue;
        stoppedAt.set(id, bytes);
      }
      if (phase === "encoding") news.push(`${name} is uploaded and being encoded.`);
      if (phase === "finished") news.push(`${name} is ready.`);
      if (["stalled", "failed", "unfit"].includes(phase))
        news.push(`${name}: ${problem ?? "A field needs another look."}`);
    }
    const size = items.reduce((sum, item) => sum + item.size, 0);
    const step = size && Math.floor(items.reduce((sum, { bytes }) => sum + bytes, 0) / size / STEP);
    if (step > announcedStep && step * STEP < 1) news.push(`${step * STEP * 100} percent uploaded.`);
    announcedStep = step;
    this.#say(news);
  }

  #say(news: string[]): void {
    if (news.length) this.#part("news").textContent = news.join(" ");
  }

  #showConnection(text: string): void {
    this.#update();
    if (items.some(isMoving)) this.#say([text]);
  }
}

customElements.define("upload-desk", UploadDesk);

window.addEventListener("beforeunload", (event) => {
  if (items.some((item) => isMoving(item) || (!item.isSaved && !isAway(item)))) event.preventDefault();
});
