import type { Viewer } from "./env.ts";
import type { RequestLog } from "./log.ts";

/** Accompanies a page's call to the API within the Worker. */
interface Inner {
  viewer: Viewer;
  /** The page's log, so that its line counts all statements. */
  log: RequestLog;
}

/** Keyed by identity: no client's request can pass for one of these. */
const inner = new WeakMap<Request, Inner>();

export const markInner = (request: Request, from: Inner): Request => {
  inner.set(request, from);
  return request;
};

export const innerOf = (request: Request): Inner | undefined => inner.get(request);
