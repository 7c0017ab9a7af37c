import { Item } from "./upload-item.ts";
import { items } from "./upload-list.ts";
import { forget, readDraft } from "./upload-memory.ts";
import { tell } from "./upload-news.ts";
import type { Upload } from "./upload-replies.ts";
import { goOn, recall, startNext } from "./upload-sending.ts";
import { readTags } from "./upload-track.ts";

/** Sessions whose files are tracks, from before the page was loaded. */
let used: Upload[] = [];

/** Adds files that the service takes. A file that was begun goes on where it stopped. */
export function add(files: File[]): void {
  for (const file of files) {
    const known = items.find((item) => item.isOf(file) && !(item.file && item.track));
    if (known?.file) continue;
    if (known) {
      takeBack(known, file);
      continue;
    }
    const item = new Item({ file, upload: usedFor(file) });
    items.push(item);
    if (!item.upload) readTags(item);
  }
  startNext();
}

/** Shows a track that this page has made before, until its card is cleared away. */
function showTrack(upload: Upload, trackId: number): void {
  if (!readDraft(upload.id)) return;
  const item = new Item({ upload });
  item.phase = "creating";
  items.push(item);
  recall(item, trackId)
    .then((isThere) => isThere || clearAway(item))
    // The next look at the page asks again.
    .catch(() => takeOff(item));
}

function takeOff(item: Item): void {
  items.splice(items.indexOf(item), 1);
  tell();
}

/** Takes a card off the page for good. Its track stays. */
export function clearAway(item: Item): void {
  forget(item.memory);
  takeOff(item);
}

/** The file of a session from before is there again. */
function takeBack(item: Item, file: File): void {
  item.file = file;
  if (item.phase === "lost" && item.upload) goOn(item, item.upload);
  else if (item.phase !== "elsewhere") readTags(item);
}

/** People who reload choose all their files again. Those that became tracks are not sent twice. */
const usedFor = ({ name, size, lastModified }: File) =>
  used.findLast(
    (upload) => upload.filename === name && upload.size === size && upload.last_modified === lastModified,
  );

/**
 * Adds sessions that were begun before. One whose bytes are all there becomes its track, unless another program
 * sent them.
 */
export function addBegun(uploads: Upload[]): void {
  used = uploads.filter(({ track_id }) => track_id && !items.some(({ track }) => track?.id === track_id));
  for (const upload of uploads) {
    if (items.some((item) => item.upload?.id === upload.id)) continue;
    if (upload.track_id) {
      showTrack(upload, upload.track_id);
      continue;
    }
    if (upload.status === "ready" && !readDraft(upload.id)) continue;
    const item = new Item({ upload });
    item.phase = "lost";
    items.push(item);
    goOn(item, upload);
  }
  startNext();
}
