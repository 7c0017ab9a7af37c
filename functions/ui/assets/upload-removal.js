import { callApi } from "./upload-api.js";
import { items, startNext, tell } from "./upload-list.js";
import { forget } from "./upload-memory.js";
import { isElsewhere, letGo } from "./upload-tabs.js";

/** Takes a file off the page, and ends its session or deletes its track. */
export async function removeFile(item, api) {
  if (item.phase === "lost" && (await isElsewhere(item.upload.id))) return item.standBy();
  if (item.track && !(await isDeleted(item, api))) return;
  const at = items.indexOf(item);
  // The card stays for a moment, and may be clicked twice.
  if (at < 0) return;
  item.stop?.abort(new DOMException("Removed", "AbortError"));
  items.splice(at, 1);
  tell();
  await item.opening?.catch(() => {});
  forget(item.memory);
  if (item.upload && !item.track) await callApi(api, "DELETE", `/uploads/${item.upload.id}`).catch(() => {});
  letGo(item.upload?.id);
  startNext();
}

/** Another window may have deleted it before. */
async function isDeleted(item, api) {
  item.to("removing");
  try {
    await callApi(api, "DELETE", `/tracks/${item.track.id}`);
  } catch ({ status, message }) {
    if (status === 404) return true;
    item.to("failed", message);
    return false;
  }
  return true;
}
