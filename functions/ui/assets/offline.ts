import { findIfAny } from "./elements.ts";

/** Starts the worker that keeps pages for when there is no network, where the service has one. */
const WORKER = findIfAny(document, 'meta[name="offline-worker"]', HTMLMetaElement)?.content;

async function start(address: string): Promise<void> {
  const { serviceWorker } = navigator;
  await serviceWorker.register(address, { updateViaCache: "none" });
  const isFirst = !serviceWorker.controller;
  const { active } = await serviceWorker.ready;
  // This page came before the worker.
  if (isFirst) active?.postMessage(location.href);
}

if (WORKER && "serviceWorker" in navigator && new URL(WORKER).origin === location.origin)
  // Forbidden, or the browser's storage is full: then nothing is kept.
  addEventListener("load", () => start(WORKER).catch(() => {}));
