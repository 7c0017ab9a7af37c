/** The parts of a service worker that the offline worker uses. The types of pages have them not. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  /** The reply that the browser asked for while it started the worker. */
  readonly preloadResponse?: Promise<Response | undefined>;
  respondWith(reply: Response | Promise<Response>): void;
}

interface ToldEvent extends WorkerEvent {
  readonly data: unknown;
}

interface WorkerScope {
  /** The folder of this deployment's static files, which the worker's own file sets. */
  readonly ASSETS: string;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
  skipWaiting(): Promise<void>;
  addEventListener(name: "install" | "activate", listener: (event: WorkerEvent) => void): void;
  addEventListener(name: "fetch", listener: (event: RequestEvent) => void): void;
  addEventListener(name: "message", listener: (event: ToldEvent) => void): void;
}
