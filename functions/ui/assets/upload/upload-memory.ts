import { reader } from "../own-reader.ts";
import type { Values } from "./upload-fields.ts";

/**
 * Keeps what was typed, and which tracks were made of files, for a reload or a closed browser. It goes when its reader signs out:
 * see `own-reader.ts`.
 */

const ALL = "upload ";
/** Another reader's words are not filled in, though the file is the same. */
const PREFIX = `${ALL}${reader} `;
/** Milliseconds. The API's sessions end after a day. */
const KEPT_MS = 48 * 3600 * 1000;

interface Named {
  name: string;
  size: number;
  lastModified: number | null;
}

interface Draft {
  values?: Values;
  sharing?: string;
  publishAt?: string;
  isSaved?: boolean;
  /** Names of the fields that were typed in. */
  edited?: string[];
}

/** Same name, size and time of change: the same file. */
export const nameOf = ({ name, size, lastModified }: Named): string => `${name} ${size} ${lastModified}`;

export function store(name: string | number, words: object): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify({ ...words, at: Date.now() }));
  } catch {
    // Full or forbidden: only the typed words would be lost.
  }
}

export function readStored<Words extends object>(name: string | number): Words | undefined {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

export const storeDraft = (id: string | number, draft: Draft): void => store(id, draft);

export const readDraft = (id: string | number): Draft | undefined => readStored<Draft>(id);

function storedAt(name: string): number {
  const { at = 0 }: { at?: number } = JSON.parse(localStorage.getItem(name) ?? "{}");
  return at;
}

export function forget(id: string | number): void {
  try {
    localStorage.removeItem(PREFIX + id);
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(ALL)) continue;
      if (storedAt(name) <= Date.now() - KEPT_MS) localStorage.removeItem(name);
    }
  } catch {
    // Nothing is kept then.
  }
}
