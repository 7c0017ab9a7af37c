import { EVENTS, GETTERS, type Message } from "./widget-messages.ts";

/** A function of the page around the player. */
type Callback = (this: Player, value?: unknown) => void;

const isCallback = (value: unknown): value is Callback => typeof value === "function";

const addressIn = (frame: HTMLIFrameElement) => new URL(frame.getAttribute("src") ?? "", document.baseURI);

export const originOf = (frame: HTMLIFrameElement): string => addressIn(frame).origin;

/** The URL as it is, because callers add options and escapes to it themselves. */
function addressOf(frame: HTMLIFrameElement, url: string, options: object, load: number): string {
  const { origin, pathname } = addressIn(frame);
  const chosen = Object.entries(options)
    .filter(([name, value]) => name !== "callback" && value !== undefined && value !== null)
    .map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${origin}${pathname}?url=${url.replaceAll("#", "%23")}${chosen.join("")}&load=${load}`;
}

/** A player in a frame. */
export class Player {
  readonly #frame: HTMLIFrameElement;
  #isReady: boolean;
  #loads = 0;
  /** The address that was loaded last. */
  #address = "";
  #whenLoaded: Callback | undefined;
  /** Calls that wait until the player is ready. */
  readonly #waiting: [method: string, value: unknown][] = [];
  readonly #callbacks = new Map<string, Callback[]>();

  /** One that was ready before this script came says so again. */
  constructor(frame: HTMLIFrameElement, isReady: boolean) {
    this.#frame = frame;
    this.#isReady = isReady;
    if (!isReady) this.#post("addEventListener", EVENTS.READY, "*");
  }

  #post(method: string, value?: unknown, target = originOf(this.#frame)): void {
    this.#frame.contentWindow?.postMessage(JSON.stringify({ method, value }), target);
  }

  call(method: string, value?: unknown): void {
    if (this.#isReady) this.#post(method, value);
    else this.#waiting.push([method, value]);
  }

  #add(name: string, callback: Callback): void {
    this.#callbacks.set(name, [...(this.#callbacks.get(name) ?? []), callback]);
  }

  #becomeReady(load: string | undefined): void {
    // The frame's first page may come after all and take the place of the one that was loaded meanwhile.
    if (this.#loads > 0 && load !== String(this.#loads)) this.#open();
    else this.#listen();
  }

  /** Calls those who wait for the page that is ready. */
  #listen(): void {
    this.#isReady = true;
    this.#resume([...this.#callbacks.keys()]);
    const ready = this.#callbacks.get(EVENTS.READY) ?? [];
    this.#callbacks.delete(EVENTS.READY);
    for (const callback of ready) callback.call(this);
    const whenLoaded = this.#whenLoaded;
    this.#whenLoaded = undefined;
    whenLoaded?.call(this);
  }

  /** Each page of the frame listens anew, and answers what the one before it left open. */
  #resume(names: string[]): void {
    for (const name of names)
      if (!GETTERS.includes(name) && name !== EVENTS.READY) this.#post("addEventListener", name);
    const waiting = this.#waiting.splice(0);
    for (const [method, value] of waiting) this.#post(method, value);
    const asked = waiting.map(([method]) => method);
    for (const name of names) if (GETTERS.includes(name) && !asked.includes(name)) this.#post(name);
  }

  /** Receives a message of the frame. */
  hear({ method, value, load }: Message): void {
    if (method === EVENTS.READY) {
      this.#becomeReady(load);
      return;
    }
    const callbacks = this.#callbacks.get(method) ?? [];
    if (GETTERS.includes(method)) this.#callbacks.delete(method);
    for (const callback of callbacks) callback.call(this, value);
  }

  bind(name: string, callback: unknown): void {
    if (!isCallback(callback)) return;
    if (name === EVENTS.READY && this.#isReady) {
      setTimeout(() => callback.call(this), 1);
      return;
    }
    this.#add(name, callback);
    if (name !== EVENTS.READY && this.#isReady) this.#post("addEventListener", name);
  }

  unbind(name: string): void {
    this.#callbacks.delete(name);
    if (name !== EVENTS.READY && this.#isReady) this.#post("removeEventListener", name);
  }

  load(url: unknown, options: { callback?: unknown } = {}): void {
    if (!url) return;
    this.#loads += 1;
    this.#isReady = false;
    this.#whenLoaded = isCallback(options.callback) ? options.callback : undefined;
    this.#address = addressOf(this.#frame, String(url), options, this.#loads);
    this.#open();
  }

  /** Adds no entry to the history of the page, unlike `src`. */
  #open(): void {
    this.#frame.contentWindow?.location.replace(this.#address);
  }

  ask(getter: string, callback: unknown): void {
    if (!isCallback(callback)) return;
    this.#add(getter, callback);
    this.call(getter);
  }
}
