import { randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { withLockFile } from "./lock-file.ts";
import { createTurns, type Store } from "./store.ts";

type Values = Record<string, string>;

/** Shared by all processes that name the same file. Only its owner may read it. */
export function fileStore(path: string): Store {
  const turns = createTurns();
  const lock: Store["lock"] = (name, work) => turns(name, () => withLockFile(`${path}.${name}.lock`, work));
  return {
    get: async (key) => (await readValues(path))[key],
    set: (key, value) =>
      lock("write", async () => {
        const { [key]: _, ...others } = await readValues(path);
        await replace(path, value === undefined ? others : { ...others, [key]: value });
      }),
    lock: (name, work) => lock(encodeURIComponent(name), work),
  };
}

const readValues = async (path: string): Promise<Values> =>
  readFile(path, "utf8").then(JSON.parse, (error: { code?: string }) => {
    if (error.code === "ENOENT") return {};
    throw error;
  });

/** Replaces the file atomically. */
async function replace(path: string, values: Values): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(values), { mode: 0o600 });
  await rename(draft, path);
}
