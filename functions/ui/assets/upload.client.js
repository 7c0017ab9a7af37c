import { Card, OFFLINE, totalText } from "./upload-card.js";
import { filesOf } from "./upload-drop.js";
import { setApi } from "./upload-item.js";
import { add, addBegun } from "./upload-items.js";
import { refusalOf } from "./upload-kinds.js";
import { isHalted, isMoving, items, listen } from "./upload-list.js";

/** The page where people upload. Files outlive it while the site swaps pages: see `upload-list.js`. */

/** Steps of the whole that screen readers hear. */
const STEP = 0.25;

/** Phases that screen readers have heard, by item. They outlive the page. */
const announced = new Map();
/** Bytes that were there at a file's last stop. One that is tried again in vain is not heard each minute. */
const stoppedAt = new Map();
let announcedStep = 0;

/** Milliseconds after which speed and time left are shown anew, even if nothing moves. */
const SPEED_MS = 1000;

class UploadDesk extends HTMLElement {
  #cards = new Map();
  #end;
  #clock;

  connectedCallback() {
    this.#cards.clear();
    this.#part("list").replaceChildren();
    setApi(this.dataset.api);
    addBegun(JSON.parse(this.dataset.begun));
    this.#stopListening?.();
    this.#stopListening = listen(() => this.#update());
    this.#clock = setInterval(() => items.some(isMoving) && this.#update(), SPEED_MS);
    this.#end = new AbortController();
    const { signal } = this.#end;
    this.addEventListener("change", (event) => this.#choose(event), { signal });
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
    if (this.#part("files").files.length) this.#choose({ target: this.#part("files") });
  }

  disconnectedCallback() {
    this.#stopListening?.();
    clearInterval(this.#clock);
    this.#end?.abort();
  }

  #stopListening;

  #part = (name) => this.querySelector(`[data-desk="${name}"]`);

  #choose({ target }) {
    if (target !== this.#part("files")) return;
    this.#take([...target.files]);
    target.value = "";
  }

  #drag(event, isOver) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.#part("drop").classList.toggle("over", isOver);
  }

  async #drop(event) {
    this.#drag(event, false);
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    const { files, refusals } = await filesOf(event.dataTransfer);
    this.#take(files, refusals);
  }

  #take(files, refusedFolders = []) {
    const refusals = files.map((file) => refusalOf(file, Number(this.dataset.maxBytes)));
    const lines = [...refusedFolders, ...refusals.filter(Boolean)].map((text) => {
      const line = document.createElement("li");
      line.textContent = text;
      return line;
    });
    this.#part("refused").hidden = !lines.length;
    this.#part("refusals").replaceChildren(...lines);
    add(files.filter((_, index) => !refusals[index]));
  }

  #act({ target }) {
    const act = target.closest?.("button[data-all]")?.dataset.all;
    if (!act) return;
    for (const item of [...items]) {
      if (act === "pause" && (item.phase === "sending" || item.phase === "waiting")) item.pause();
      if (act === "resume" && isHalted(item)) item.resume();
    }
  }

  #update() {
    for (const [item, card] of this.#cards) {
      if (items.includes(item)) continue;
      const { element } = card;
      const hadFocus = element.contains(document.activeElement);
      const beside = element.nextElementSibling ?? element.previousElementSibling;
      element.remove();
      this.#cards.delete(item);
      if (hadFocus) (beside?.querySelector("h2") ?? this.#part("files")).focus();
    }
    for (const item of items) {
      if (!this.#cards.has(item)) {
        const card = new Card(item, this.#part("template"), this.dataset.finalFaults.split(" "));
        this.#cards.set(item, card);
        this.#part("list").append(card.element);
      }
      this.#cards.get(item).update();
    }
    this.#showTotal();
    this.#announce();
  }

  #showTotal() {
    const isAny = (...phases) => items.some(({ phase }) => phases.includes(phase));
    this.#part("total").textContent = totalText(items);
    this.querySelector('[data-all="pause"]').hidden = items.length < 2 || !isAny("sending", "waiting");
    this.querySelector('[data-all="resume"]').hidden = items.length < 2 || !items.some(isHalted);
  }

  /** Says what matters, not every percent. */
  #announce() {
    const news = [];
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

  #say(news) {
    if (news.length) this.#part("news").textContent = news.join(" ");
  }

  #showConnection(text) {
    this.#update();
    if (items.some(isMoving)) this.#say([text]);
  }
}

customElements.define("upload-desk", UploadDesk);

window.addEventListener("beforeunload", (event) => {
  const isHere = ({ phase }) => phase !== "lost" && phase !== "elsewhere";
  if (items.some((item) => isMoving(item) || (!item.isSaved && isHere(item)))) event.preventDefault();
});
