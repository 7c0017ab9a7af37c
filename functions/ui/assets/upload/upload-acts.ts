import * as Turbo from "@hotwired/turbo";
import { callApi, problemOf } from "./upload-api.ts";
import { followEncoding } from "./upload-encoding.ts";
import type { Item } from "./upload-item.ts";
import { tell } from "./upload-news.ts";
import { removeFile } from "./upload-removal.ts";
import type { Track } from "./upload-replies.ts";
import { pause, resume, stall } from "./upload-sending.ts";
import { createTrack, saveTrack } from "./upload-track.ts";

/** Before the track exists, its fields wait for it. */
export async function save(item: Item): Promise<void> {
  item.isPressed = true;
  if (item.track) return saveTrack(item, item.track.id);
  item.sharing = item.values.sharing;
  item.publishAt = item.values.publish_at ?? "";
  item.problems = {};
  item.isSaved = true;
  item.remember();
  if (item.phase !== "unfit" || !item.upload) return tell();
  return createTrack(item, item.upload.id).catch((error) => stall(item, problemOf(error)));
}

/** Sends the rest, or encodes again. */
async function retry(item: Item): Promise<void> {
  if (!item.track) return resume(item);
  try {
    item.track = await callApi<Track>("POST", `/tracks/${item.track.id}/retry`);
    item.problem = undefined;
  } catch (error) {
    const { status, message } = problemOf(error);
    item.isHopeless = status === 422;
    return item.to("failed", message);
  }
  return followEncoding(item);
}

/** Puts the finished track in the place of an older one, and leads to its page, which has the address of the older. */
export async function takePlace(item: Item, oldId: number): Promise<void> {
  if (!item.track) return;
  try {
    const json = { superseded_id: oldId };
    item.track = await callApi<Track>("POST", `/tracks/${item.track.id}/supersede`, { json });
    item.problem = undefined;
    Turbo.visit(item.track.permalink_url);
  } catch (error) {
    item.problem = problemOf(error).message;
  }
  tell();
}

/** Acts by the names of their buttons. */
export const ACTS = new Map<string | undefined, (item: Item) => void>([
  ["pause", pause],
  ["resume", resume],
  ["retry", retry],
  ["remove", removeFile],
]);
