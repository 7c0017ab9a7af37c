import type { Viewer } from "./env.ts";
import type { RequestLog } from "./log.ts";

/** Comes along with a request that a page of ours makes within the Worker. */
interface Inner {
  viewer: Viewer;
  /** The page's own, so that its line counts all statements. */
  log: RequestLog;
}

/** Held by identity: nothing that a client sends can be one of these requests. */
const inner = new WeakMap<Request, Inner>();

export const markInner = (request: Request, from: Inner): Request => {
  inner.set(request, from);
  return request;
};

export const innerOf = (request: Request): Inner | undefined => inner.get(request);
