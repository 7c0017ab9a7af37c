import type { Database } from "../../../db/client.ts";
import { closedPictures } from "../../../db/queries/images.ts";

/** Milliseconds that an isolate caches the list. A takedown closes its picture within a minute. */
const KEPT_MS = 30_000;

/** Milliseconds before the next attempt after the database failed. */
const PATIENCE_MS = 5_000;

/**
 * Milliseconds between full reads of the list of replaced and deleted pictures. In between only new ones are added,
 * because a week of them is too much to read twice a minute.
 */
const WHOLE_EVERY_MS = 600_000;

/** Milliseconds for which a transaction may run, and clocks may differ. */
const OVERLAP_MS = 120_000;

interface List {
  /** Taken down or removed, for as long as that stands. */
  blocked: ReadonlySet<string>;
  /** Replaced or deleted, while the files are still kept. */
  gone: ReadonlySet<string>;
  staleAtMs: number;
  askedAtMs: number;
  wholeUntilMs: number;
}

let list: List = { blocked: new Set(), gone: new Set(), staleAtMs: 0, askedAtMs: 0, wholeUntilMs: 0 };

/**
 * Whether a picture's address was closed. One cached list serves all pictures, because a statement for each would be
 * most of the database's work. Without the database the last list applies.
 */
export async function isClosed(db: Database, version: string): Promise<boolean> {
  if (Date.now() >= list.staleAtMs) await renew(db);
  return list.blocked.has(version) || list.gone.has(version);
}

/** Concurrent requests do not query too, unless this isolate has no list yet. */
async function renew(db: Database): Promise<void> {
  const askedAtMs = Date.now();
  const isWhole = askedAtMs >= list.wholeUntilMs;
  const goneForMs = isWhole ? undefined : askedAtMs - list.askedAtMs + OVERLAP_MS;
  if (list.staleAtMs > 0) list = { ...list, staleAtMs: askedAtMs + PATIENCE_MS };
  try {
    const { blocked, gone } = await closedPictures(db, goneForMs && goneForMs / 1000);
    list = {
      blocked: new Set(blocked),
      gone: new Set(isWhole ? gone : [...list.gone, ...gone]),
      staleAtMs: askedAtMs + KEPT_MS,
      askedAtMs,
      wholeUntilMs: isWhole ? askedAtMs + WHOLE_EVERY_MS : list.wholeUntilMs,
    };
  } catch {
    list = { ...list, staleAtMs: askedAtMs + PATIENCE_MS };
  }
}
