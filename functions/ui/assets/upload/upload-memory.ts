import { reader } from "../own-reader.ts";
import type { Values } from "./upload-fields.ts";

/** Keeps what was typed until its track exists, for a reload or a closed browser. */

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

interface Stored {
  values?: Values;
  sharing?: string;
  publishAt?: string;
  isSaved?: boolean;
  /** Names of the fields that were typed in. */
  edited?: string[];
}

/** Same name, size and time of change: the same file. */
export const nameOf = ({ name, size, lastModified }: Named): string => `${name} ${size} ${lastModified}`;

export function storeDraft(id: string | number, draft: Stored): void {
  try {
    localStorage.setItem(PREFIX + id, JSON.stringify({ ...draft, at: Date.now() }));
  } catch {
    // Full or forbidden: only the typed words would be lost.
  }
}

export function readDraft(id: string | number): Stored | undefined {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + id) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

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
