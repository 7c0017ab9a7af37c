import type { Database } from "../../../db/client.ts";
import { closedPictures } from "../../../db/queries/images.ts";

/** Milliseconds that an isolate caches the list. A takedown closes its picture within a minute. */
const KEPT_MS = 30_000;

/** Milliseconds before the next attempt after the database failed. */
const PATIENCE_MS = 5_000;

interface List {
  versions: ReadonlySet<string>;
  staleAtMs: number;
}

let list: List = { versions: new Set(), staleAtMs: 0 };

/**
 * Whether an operator has closed the picture. One cached list serves all pictures, because a statement for each would
 * be most of the database's work. Without the database the last list applies.
 */
export async function isClosed(db: Database, version: string): Promise<boolean> {
  if (Date.now() >= list.staleAtMs) await renew(db);
  return list.versions.has(version);
}

/** Concurrent requests do not query too, unless this isolate has no list yet. */
async function renew(db: Database): Promise<void> {
  const askedAtMs = Date.now();
  if (list.staleAtMs > 0) list = { ...list, staleAtMs: askedAtMs + PATIENCE_MS };
  try {
    list = { versions: new Set(await closedPictures(db)), staleAtMs: askedAtMs + KEPT_MS };
  } catch {
    list = { ...list, staleAtMs: askedAtMs + PATIENCE_MS };
  }
}
