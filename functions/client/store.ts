/** Stores sessions. Programs with the same store share the session. */
export interface Store {
  get(key: string): string | undefined | Promise<string | undefined>;
  /** `undefined` removes the key. */
  set(key: string, value: string | undefined): void | Promise<void>;
  /** Runs `work` while nobody else who shares the store holds the lock of this name. */
  lock<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** Serializes work by name within this program. */
export function createTurns(): Store["lock"] {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work, work);
    last.set(name, turn);
    return turn;
  };
}

/** Lasts as long as the program. */
export function memoryStore(): Store {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
    lock: createTurns(),
  };
}
