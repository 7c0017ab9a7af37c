import { ApiError, callApi, findInApi, problemOf } from "./upload-api.ts";
import { followEncoding } from "./upload-encoding.ts";
import { valuesOf } from "./upload-fields.ts";
import type { Item } from "./upload-item.ts";
import { audioTypeOf } from "./upload-kinds.ts";
import { isUnder, items } from "./upload-list.ts";
import { forget } from "./upload-memory.ts";
import { tell } from "./upload-news.ts";
import type { Session, Track, Upload } from "./upload-replies.ts";
import { hold, isElsewhere, whenFree } from "./upload-tabs.ts";
import { createTrack, readTags } from "./upload-track.ts";
import { refuseUnreadable, Transfer, UNREADABLE } from "./upload-transfer.ts";

/** Sends files, a few at once, until each is a track. */

/** Files on their way at once. */
const MAX_SENDING = 3;
/** Sessions that the API allows. One that is paused, stalled or lost holds its place, too. */
const MAX_SESSIONS = 5;
/** Milliseconds until a session is asked for again when the API has none to give. */
const BUSY_MS = 10_000;
/** Milliseconds until a file that stopped is tried again. */
const AGAIN_MS = 60_000;

const isOpen = ({ upload, track }: Item) => upload && !track && upload.status !== "ready";
const isResumable = ({ status }: Upload) =>
  status === "open" || status === "completing" || status === "ready";

/** Sends what waits, as far as there is room. */
export function startNext(): void {
  const sending = items.filter(isUnder("sending", "joining"));
  let free = MAX_SENDING - sending.length;
  const begun = new Set([...sending, ...items.filter(isOpen)]);
  for (const item of items) {
    if (item.phase !== "waiting") continue;
    item.isHeldBack = begun.size >= MAX_SESSIONS && !begun.has(item);
    if (free <= 0 || item.isHeldBack || item.notBefore > Date.now()) continue;
    free--;
    begun.add(item);
    send(item);
  }
  tell();
}

/** Goes on with a session from before, unless another tab has it. */
export async function goOn(item: Item, { id, status }: Upload): Promise<void> {
  const isTaken = await isElsewhere(id);
  if (item.phase !== "lost") return;
  if (isTaken) return standBy(item, id);
  readTags(item);
  if (item.file || status === "ready") item.to("waiting");
  startNext();
}

/** Waits until the other tab ends or has done its work. */
export async function standBy(item: Item, id: number): Promise<void> {
  item.to("elsewhere");
  await whenFree(id);
  item.upload = await findInApi<Upload>(`/uploads/${id}`).catch(() => item.upload);
  if (!item.upload || !isResumable(item.upload)) {
    items.splice(items.indexOf(item), 1);
    return startNext();
  }
  item.fillIn();
  item.to("lost");
  return goOn(item, item.upload);
}

export function pause(item: Item): void {
  item.phase = "paused";
  // Storage may hold a part whose answer never came.
  item.transfer = undefined;
  item.stop?.abort(new DOMException("Paused", "AbortError"));
  startNext();
}

export function resume(item: Item): void {
  item.to("waiting");
  startNext();
}

/** Storage or the service may be back soon, and nobody may be there to press a button. */
export function stall(item: Item, { status, message }: ApiError): void {
  const mayPass = status === 0 || Number(status) >= 500;
  item.to("stalled", mayPass ? `${message} Another try follows in a minute.` : message);
  clearTimeout(item.again);
  if (mayPass) item.again = setTimeout(() => item.phase === "stalled" && resume(item), AGAIN_MS);
}

/** Other programs hold the places, or too much was asked for. */
function wait(item: Item, problem: string): void {
  item.notBefore = Date.now() + BUSY_MS;
  setTimeout(startNext, BUSY_MS);
  item.to("waiting", problem);
}

async function send(item: Item): Promise<void> {
  item.to("sending");
  item.stop = new AbortController();
  const { signal } = item.stop;
  try {
    await bring(item, signal);
  } catch (error) {
    // Pausing and removing have set the phase.
    if (!signal.aborted) noteFailure(item, problemOf(error));
  } finally {
    startNext();
  }
}

function noteFailure(item: Item, problem: ApiError): void {
  const { status, message } = problem;
  // The session has ended: another try opens a new one.
  if (status === 404 || status === 409) item.transfer = undefined;
  if (status === 429) wait(item, message);
  else stall(item, problem);
}

/** Sends what storage has not yet, and makes the track. */
async function bring(item: Item, signal: AbortSignal): Promise<void> {
  if (item.upload?.track_id && (await recall(item, item.upload.track_id))) return;
  const { id, transfer } = await open(item, signal);
  if (!(await hold(id))) {
    standBy(item, id);
    return;
  }
  item.transfer = transfer;
  if (transfer) {
    const parts = await transfer.run(signal);
    item.to("joining");
    item.upload = await callApi<Upload>("POST", `/uploads/${id}/complete`, { json: { parts }, signal });
  }
  item.bytes = item.size;
  const creating = createTrack(item, id);
  startNext();
  await creating;
}

/** Returns whether the file is a track already, which is shown then. Words that were not saved are shown in its fields. */
export async function recall(item: Item, trackId: number): Promise<boolean> {
  const track = await findInApi<Track>(`/tracks/${trackId}`);
  if (track) {
    const values = { ...item.values, ...valuesOf(track), ...(item.isSaved ? {} : item.typed) };
    Object.assign(item, { track, values, sharing: track.sharing, isRead: true, bytes: item.size });
    followEncoding(item);
  } else item.upload = undefined;
  readTags(item);
  return track !== undefined;
}

interface Opened {
  id: number;
  /** Sends the missing parts, unless storage has the whole file. */
  transfer?: Transfer;
}

async function open(item: Item, signal: AbortSignal): Promise<Opened> {
  const { file, upload, transfer } = item;
  if (upload?.status === "ready") return { id: upload.id };
  if (upload && transfer) return { id: upload.id, transfer };
  const found = upload && (await findInApi<Session>(`/uploads/${upload.id}`, { signal }));
  item.upload = found;
  if (found?.status === "ready") return { id: found.id };
  if (!file) throw new ApiError(undefined, [UNREADABLE]);
  const session = found && isResumable(found) ? found : await openNew(item, file, signal);
  return { id: session.id, transfer: new Transfer(file, session, (bytes) => moved(item, bytes)) };
}

/** A pause does not end the call: it would leave a session of which nobody knows. */
async function openNew(item: Item, file: File, signal: AbortSignal): Promise<Session> {
  item.opening ??= begin(item, file).finally(() => {
    item.opening = undefined;
  });
  const session = await item.opening;
  signal.throwIfAborted();
  return session;
}

async function begin(item: Item, file: File): Promise<Session> {
  // A session for a file that cannot be sent would keep a place from the others.
  await refuseUnreadable(file);
  const { name, size, lastModified } = file;
  const json = { filename: name, size, type: audioTypeOf(file), last_modified: lastModified };
  const before = item.memory;
  const session = await callApi<Session>("POST", "/uploads", { json });
  item.upload = session;
  await hold(session.id);
  forget(before);
  item.remember();
  return session;
}

function moved(item: Item, bytes: number): void {
  item.bytes = bytes;
  item.speed.note(bytes);
  tell();
}
