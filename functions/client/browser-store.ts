import { createTurns, type Store } from "./store.ts";

/** The parts of a browser that the store needs. Pages without https have no locks. */
interface Browser {
  localStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  navigator: { locks?: { request<Result>(name: string, work: () => Promise<Result>): Promise<Result> } };
}

/** Other platforms' types do not know them. */
const browser = () => globalThis as unknown as Browser;

/** Shared by all tabs of an origin. */
export function browserStore(): Store {
  const turns = createTurns();
  return {
    get: (key) => browser().localStorage.getItem(key) ?? undefined,
    set: (key, value) =>
      value === undefined
        ? browser().localStorage.removeItem(key)
        : browser().localStorage.setItem(key, value),
    lock: (name, work) => browser().navigator.locks?.request(name, work) ?? turns(name, work),
  };
}
