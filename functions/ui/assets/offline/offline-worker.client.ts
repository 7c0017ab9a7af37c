import { keepFiles, keepOnly, staticFile, storedFile } from "./files.ts";
import { forgetPages, isOfSite, learn, storedPage, turnNow, withStored } from "./pages.ts";

/**
 * Keeps static files, and pages that were opened, for when there is no network. Pages come from the network first, so
 * nobody sees what has changed or gone meanwhile. Everything but pages and static files passes by untouched.
 */

const scope = globalThis as unknown as WorkerScope;

/** Shown for pages that were not kept. */
const OFFLINE_PAGE = "/offline";

scope.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([keepFiles(scope.ASSETS, OFFLINE_PAGE), scope.skipWaiting()]));
});

scope.addEventListener("activate", (event) => {
  const preload = scope.registration.navigationPreload?.enable();
  event.waitUntil(Promise.all([keepOnly(scope.ASSETS), preload, scope.clients.claim()]));
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && /^\/(?:session\/end|signout)$/.test(pathname))
    event.waitUntil(forgetPages());
  if (request.method !== "GET") return;
  if (pathname.startsWith("/static/")) event.respondWith(staticFile(scope.ASSETS, request));
  else if (wantsPage(request)) event.respondWith(answer(event));
});

/** The page's script and Turbo ask for HTML, too. */
const wantsPage = ({ mode, headers }: Request) =>
  mode === "navigate" || (headers.get("Accept") ?? "").startsWith("text/html");

async function answer(event: RequestEvent): Promise<Response> {
  const { request } = event;
  const begun = turnNow();
  try {
    const reply = (await event.preloadResponse) ?? (await fetch(request));
    if (isOfSite(reply)) event.waitUntil(learn(request.url, reply.clone(), begun));
    return reply;
  } catch (error) {
    if (await isReached(request.url)) throw error;
    const stored = await storedPage(request.url);
    if (stored) return stored;
    const page = await storedFile(scope.ASSETS, new URL(OFFLINE_PAGE, location.origin).href);
    if (page) return withStored(page);
    throw error;
  }
}

/** A page that leads to another host fails as well, where a script asks for it. That is no lost network. */
const isReached = (address: string): Promise<boolean> =>
  fetch(address, { method: "HEAD", redirect: "manual" }).then(
    () => true,
    () => false,
  );

/** A page that was there before the worker. */
scope.addEventListener("message", (event) => {
  const address = typeof event.data === "string" ? event.data : "";
  if (!address.startsWith(`${location.origin}/`)) return;
  const begun = turnNow();
  const asked = fetch(address, { headers: { Accept: "text/html" } });
  event.waitUntil(asked.then((reply) => learn(address, reply, begun)).catch(() => {}));
});
