import { callApi, problemOf } from "./upload-api.ts";
import type { Item } from "./upload-item.ts";
import { items } from "./upload-list.ts";
import { forget } from "./upload-memory.ts";
import { tell } from "./upload-news.ts";
import { standBy, startNext } from "./upload-sending.ts";
import { isElsewhere, letGo } from "./upload-tabs.ts";

/** Takes a file off the page, and ends its session or deletes its track. */
export async function removeFile(item: Item): Promise<void> {
  const { phase, upload } = item;
  if (phase === "lost" && upload && (await isElsewhere(upload.id))) return standBy(item, upload.id);
  if (item.track && !(await isDeleted(item, item.track.id))) return;
  const at = items.indexOf(item);
  // The card stays for a moment, and may be clicked twice.
  if (at < 0) return;
  item.stop?.abort(new DOMException("Removed", "AbortError"));
  items.splice(at, 1);
  tell();
  await item.opening?.catch(() => {});
  forget(item.memory);
  if (item.upload) await endSession(item, item.upload.id);
  startNext();
}

async function endSession(item: Item, id: number): Promise<void> {
  if (!item.track) await callApi("DELETE", `/uploads/${id}`).catch(() => {});
  letGo(id);
}

/** Another window may have deleted it before. */
async function isDeleted(item: Item, id: number): Promise<boolean> {
  item.to("removing");
  try {
    await callApi("DELETE", `/tracks/${id}`);
  } catch (error) {
    const { status, message } = problemOf(error);
    if (status === 404) return true;
    item.to("failed", message);
    return false;
  }
  return true;
}
