/**
 * The message protocol of embedded players: JSON texts `{method, value}`. The page that embeds this one calls
 * methods and getters, and listens to events. Only that page is heard, and it is answered at its own origin.
 */

const ADD = "addEventListener";
const REMOVE = "removeEventListener";

interface Message {
  method: string;
  value?: unknown;
}

function parse(data: unknown): Message | undefined {
  try {
    const message = typeof data === "string" ? JSON.parse(data) : undefined;
    return typeof message?.method === "string" ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Pages from files and in sandboxes have no origin that could be named. */
const targetOf = (origin: string) => (origin === "null" ? "*" : origin);

interface Protocol {
  methods: Record<string, (value: unknown) => unknown>;
  getters: Record<string, () => unknown>;
  onListen(event: string): void;
}

/**
 * `methods` and `getters` are by name. They run one after the other, so that each finds what the one before it
 * did. Returns a function that tells an event to the page if it listens.
 */
export function openMessages({ methods, getters, onListen }: Protocol) {
  const { parent } = window;
  /** Origins of the listeners, by event. */
  const listeners = new Map<string, string>();
  let before: Promise<unknown> = Promise.resolve();

  const post = (method: string, value: unknown, origin: string) =>
    parent.postMessage(JSON.stringify({ method, value }), origin);

  async function act({ method, value }: Message, origin: string) {
    if (method === ADD) {
      listeners.set(String(value), origin);
      onListen(String(value));
    } else if (method === REMOVE) listeners.delete(String(value));
    else if (Object.hasOwn(getters, method)) post(method, await getters[method]?.(), origin);
    else if (Object.hasOwn(methods, method)) await methods[method]?.(value);
  }

  addEventListener("message", ({ source, origin, data }) => {
    const message = source === parent && parent !== window ? parse(data) : undefined;
    if (!message) return;
    before = before.then(() => act(message, targetOf(origin))).catch(() => {});
  });

  return {
    tell(event: string, value: unknown) {
      const origin = listeners.get(event);
      if (origin !== undefined) post(event, value, origin);
    },
    /** Nobody can have asked for this event, and it says nothing about the page. `load` names the caller's load. */
    tellReady() {
      const load = new URLSearchParams(location.search).get("load") ?? undefined;
      if (parent !== window) parent.postMessage(JSON.stringify({ method: "ready", load }), "*");
    },
  };
}

/** Calls `pause` when another player in the same page begins. Returns a function that makes the others pause. */
export function openNeighbours(pause: () => void): () => void {
  const BEGUN = "soundpost-player-begins";
  addEventListener("message", ({ source, origin, data }) => {
    if (origin === location.origin && source !== window && data === BEGUN) pause();
  });
  /** Asking a frame of another origin for anything fails. */
  const isOurs = (frame: Window) => {
    try {
      return frame !== window && frame.origin === location.origin;
    } catch {
      return false;
    }
  };
  return () => {
    const { parent } = window;
    for (let at = 0; at < parent.length; at++) {
      const frame = parent[at];
      if (frame && isOurs(frame)) frame.postMessage(BEGUN, location.origin);
    }
  };
}
