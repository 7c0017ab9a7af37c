import { createTurns, type Store } from "./store.ts";

/** The browser APIs that the store needs. Other platforms' types lack them. */
interface Browser {
  indexedDB: { open(name: string): Opening };
  /** Missing on pages without https. */
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

/** Shared by all tabs of an origin. Not `localStorage`, where a tab may read a value that another has replaced. */
export function browserStore(): Store {
  const turns = createTurns();
  let opened: Promise<Database> | undefined;
  const begin = async (mode: "readonly" | "readwrite"): Promise<Transaction> => {
    try {
      opened ??= open();
      return (await opened).transaction(NAME, mode);
    } catch {
      // Browsers close the databases of background pages, and those whose data the user clears.
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
