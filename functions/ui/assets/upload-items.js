import { Item } from "./upload-item.js";
import { items, startNext } from "./upload-list.js";
import { readDraft } from "./upload-memory.js";

/** Sessions whose files are tracks, from before the page was loaded. */
let used = [];

/** Adds files that the service takes. A file that was begun goes on where it stopped. */
export function add(files) {
  for (const file of files) {
    const known = items.find((item) => item.isOf(file) && !(item.file && item.track));
    if (known?.file) continue;
    if (known) {
      known.take(file);
      continue;
    }
    const item = new Item({ file, upload: usedFor(file) });
    items.push(item);
    if (!item.upload) item.readTags();
  }
  startNext();
}

/** People who reload choose all their files again. Those that became tracks are not sent twice. */
const usedFor = ({ name, size, lastModified }) =>
  used.find(
    (upload) => upload.filename === name && upload.size === size && upload.last_modified === lastModified,
  );

/**
 * Adds sessions that were begun before. One whose bytes are all there becomes its track, unless another program
 * sent them.
 */
export function addBegun(uploads) {
  used = uploads.filter(({ track_id }) => track_id && !items.some(({ track }) => track?.id === track_id));
  for (const upload of uploads) {
    if (upload.track_id) continue;
    if (items.some((item) => item.upload?.id === upload.id)) continue;
    if (upload.status === "ready" && !readDraft(upload.id)) continue;
    const item = new Item({ upload });
    item.phase = "lost";
    items.push(item);
    item.goOn();
  }
  startNext();
}
