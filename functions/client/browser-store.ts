import { createTurns, type Store } from "./store.ts";

/** The parts of a browser that the store needs. Other platforms' types do not know them. */
interface Browser {
  indexedDB: { open(name: string): Opening };
  /** Pages without https have none. */
  navigator: { locks?: { request<Result>(name: string, work: () => Promise<Result>): Promise<Result> } };
}

interface Asked<Result> {
  result: Result;
  error: unknown;
  onsuccess: () => void;
  onerror: () => void;
}

interface Opening extends Asked<Database> {
  onupgradeneeded: () => void;
}

interface Database {
  createObjectStore(name: string): unknown;
  transaction(name: string, mode: "readonly" | "readwrite"): Transaction;
}

interface Transaction {
  objectStore(name: string): {
    get(key: string): Asked<string | undefined>;
    put(value: string, key: string): unknown;
    delete(key: string): unknown;
  };
  error: unknown;
  oncomplete: () => void;
  onabort: () => void;
}

const NAME = "soundpost";
const browser = () => globalThis as unknown as Browser;

const answer = <Result>(asked: Asked<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

const commit = (transaction: Transaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

function open(): Promise<Database> {
  const opening = browser().indexedDB.open(NAME);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(NAME);
  return answer(opening);
}

/** Shared by all tabs of an origin. In `localStorage` a tab may still read what another has replaced. */
export function browserStore(): Store {
  const turns = createTurns();
  let opened: Promise<Database> | undefined;
  const begin = async (mode: "readonly" | "readwrite"): Promise<Transaction> => {
    try {
      opened ??= open();
      return (await opened).transaction(NAME, mode);
    } catch {
      // Browsers close databases of pages in the background, and of those whose data somebody clears.
      opened = open();
      return (await opened).transaction(NAME, mode);
    }
  };
  return {
    get: async (key) => answer((await begin("readonly")).objectStore(NAME).get(key)),
    async set(key, value) {
      const transaction = await begin("readwrite");
      const values = transaction.objectStore(NAME);
      if (value === undefined) values.delete(key);
      else values.put(value, key);
      await commit(transaction);
    },
    lock: (name, work) => browser().navigator.locks?.request(name, work) ?? turns(name, work),
  };
}
