import { afterEach, expect, test, vi } from "vitest";
import { browserStore } from "../../functions/client/browser-store.ts";

afterEach(() => vi.unstubAllGlobals());

/** A request of IndexedDB that is answered once somebody listens. */
const asked = <Result>(result: Result, error?: Error) => {
  const request = { result, error, onsuccess: () => {}, onerror: () => {}, onupgradeneeded: () => {} };
  setTimeout(() => (error ? request.onerror() : request.onsuccess()));
  return request;
};

/** Databases, each of which its browser may close. */
function stubDatabases(values: Map<string, string>) {
  const databases: { isClosed: boolean }[] = [];
  const failures: Error[] = [];
  const open = () => {
    const failure = failures.shift();
    if (failure) return asked(undefined, failure);
    const database = {
      isClosed: false,
      transaction() {
        if (database.isClosed)
          throw new DOMException("The database connection is closing.", "InvalidStateError");
        return { objectStore: () => ({ get: (key: string) => asked(values.get(key)) }) };
      },
    };
    databases.push(database);
    return asked(database);
  };
  vi.stubGlobal("indexedDB", { open });
  return { databases, failures };
}

test("a session is read although the browser has closed the page's database", async () => {
  const { databases } = stubDatabases(new Map([["session", "kept"]]));
  const store = browserStore();
  expect(await store.get("session")).toBe("kept");
  for (const database of databases) database.isClosed = true;
  expect(await store.get("session")).toBe("kept");
  expect(databases).toHaveLength(2);
});

test("a database that did not open is opened again by the next call", async () => {
  const { failures } = stubDatabases(new Map([["session", "kept"]]));
  failures.push(new Error("busy"), new Error("busy"));
  const store = browserStore();
  await expect(store.get("session")).rejects.toThrow("busy");
  expect(await store.get("session")).toBe("kept");
});
