import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { assetUrl } from "../../../ui/assets.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { keepsPages, OFFLINE_WORKER } from "../../../ui/offline.ts";
import { showSite } from "../../../ui/site-page.tsx";

/** {web_url}: the worker in readers' browsers that keeps what they opened, and the page that it shows for all else. */
export const offline = new Routes();

const SCRIPT = "offline-worker.client.js";

/** Forgets everything and ends itself. */
const LAST_WORKER = `addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
})()));
`;

/** Another deployment's worker differs by its address of files, which tells browsers to replace the former. */
function workerOf(c: Context<AppEnv>): string {
  if (!keepsPages(c.env)) return LAST_WORKER;
  const { pathname } = new URL(assetUrl(c.env, SCRIPT));
  return `self.ASSETS = ${JSON.stringify(pathname.slice(0, -SCRIPT.length))};
importScripts(${JSON.stringify(pathname)});
`;
}

offline.page(OFFLINE_WORKER, (c) =>
  c.body(workerOf(c), 200, {
    "Content-Type": "text/javascript; charset=utf-8",
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; connect-src 'self'",
  }),
);

offline.page("/offline", (c) => {
  c.header("X-Robots-Tag", "noindex");
  return showSite(
    c,
    { title: "You are offline", reader: { ...readerOf(c), isUnknown: true } },
    <section class="card message">
      <h1>You are offline</h1>
      <p>This page was not opened in this browser before. It comes once there is a network again.</p>
    </section>,
  );
});
