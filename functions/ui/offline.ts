import { createHash } from "node:crypto";
import type { Context } from "hono";
import type { AppEnv } from "../lib/http/env.ts";
import { isRead } from "../lib/http/methods.ts";
import { firstSegment } from "../lib/http/url.ts";
import { isReserved } from "../lib/text/reserved.ts";
import { siteViewer } from "./viewer.ts";

/**
 * Tells the browser's worker for whom a page is, and whether it may keep it: see `assets/offline/`. Another reader or
 * session has another name, and what was kept under the former one goes.
 */
export function tellWorker(c: Context<AppEnv>, status: number): void {
  const viewer = siteViewer(c);
  const name = viewer ? digest(`${viewer.sessionId} ${viewer.userId}`) : "visitor";
  c.header("Offline-Reader", name);
  if (status === 200 && isRead(c) && mayKeep(new URL(c.req.url))) c.header("Offline-Keep", "yes");
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 22);

const LISTS = new Set(["discover", "search", "tags"]);
const OWN_LISTS = new Set(["/you/library", "/you/history"]);

/** Only what is to be read: no forms, and no page that was opened by the secret of a private link. */
function mayKeep({ pathname, searchParams }: URL): boolean {
  if (searchParams.has("secret_token")) return false;
  if (pathname === "/" || OWN_LISTS.has(pathname)) return true;
  const first = firstSegment(pathname);
  if (LISTS.has(first)) return true;
  return !isReserved(first) && /^\/[^/]+(?:\/(?!s-)[^/]+|\/sets\/(?!s-)[^/]+)?$/.test(pathname);
}

/** Whether browsers keep pages for when they have no network. `off` ends that where it was on. */
export const keepsPages = ({ OFFLINE_PAGES }: { OFFLINE_PAGES?: "on" | "off" }): boolean =>
  OFFLINE_PAGES !== "off";

export const OFFLINE_WORKER = "/offline-worker.js";
