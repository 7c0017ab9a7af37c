import { Item } from "./upload-item.js";
import { items, startNext } from "./upload-list.js";
import { kept } from "./upload-memory.js";

/** Adds files that the service takes. A file that was begun goes on where it stopped. */
export function add(files) {
  for (const file of files) {
    const known = items.find((item) => !item.track && item.isOf(file));
    if (known && known.phase !== "lost") continue;
    if (known) Object.assign(known, { file, phase: "waiting", problem: undefined });
    else items.push(new Item({ file }));
    (known ?? items.at(-1)).readTags();
  }
  startNext();
}

/**
 * Adds sessions that were begun before. One whose bytes are all there becomes its track, unless another program
 * sent them.
 */
export function addBegun(uploads) {
  for (const upload of uploads) {
    if (items.some((item) => item.upload?.id === upload.id)) continue;
    if (upload.status === "ready" && !kept(upload.id)) continue;
    const item = new Item({ upload });
    item.phase = upload.status === "ready" ? "waiting" : "lost";
    items.push(item);
  }
  startNext();
}
