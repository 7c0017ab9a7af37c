import { callApi, problemOf } from "./upload-api.ts";
import { followEncoding } from "./upload-encoding.ts";
import { factsOf, fieldsOf } from "./upload-fields.ts";
import type { Item } from "./upload-item.ts";
import { tell } from "./upload-news.ts";
import type { Track } from "./upload-replies.ts";
import { letGo } from "./upload-tabs.ts";
import { readTags as tagsOf } from "./upload-tags.ts";

/** Makes the track of a file that storage has, and keeps it as the person says. */

/** Fills in what the file says about itself. A track's own words stay; its release has use for the others. */
export function readTags(item: Item): void {
  if (item.file) item.reading = fillFrom(item, item.file);
}

async function fillFrom(item: Item, file: File): Promise<void> {
  const { fields, artwork } = await tagsOf(file);
  for (const [name, value] of Object.entries(fields))
    if (value && !item.edited.has(name) && !(item.track && name in item.values)) item.values[name] = value;
  item.artwork ??= artwork;
  item.isRead = true;
  item.remember();
  tell();
  // The page may have been left before the picture went.
  if (item.track && !item.track.artwork_url) await sendArtwork(item);
}

/** Makes the track, private unless the person saved it as public. */
export async function createTrack(item: Item, uploadId: number): Promise<void> {
  item.to("creating");
  // A small file may be there before its tags are read.
  await item.reading;
  const { values, sharing, publishAt, edits } = item;
  const fields = fieldsOf({ ...values, publish_at: publishAt });
  const track = { upload_id: uploadId, ...fields, ...factsOf(values), sharing };
  try {
    item.track = await callApi<Track>("POST", "/tracks", { json: { track } });
  } catch (error) {
    const problem = problemOf(error);
    // Without an answer it may be made, from the fields of then. Another call would be answered with it.
    item.isMadeBefore = problem.status !== 422;
    if (item.isMadeBefore) throw problem;
    item.noteProblems(problem);
    return item.to("unfit", item.problem);
  }
  letGo(uploadId);
  const isTaken = values.sharing === sharing && (values.publish_at ?? "") === publishAt;
  const hasAll = !item.isMadeBefore && edits === item.edits && isTaken;
  const isSavedMeanwhile = item.isSaved && !hasAll;
  item.isSaved = hasAll;
  item.remember();
  followEncoding(item);
  await (isSavedMeanwhile ? saveTrack(item, item.track.id) : sendArtwork(item));
}

async function sendArtwork(item: Item): Promise<void> {
  const { artwork, track } = item;
  if (!artwork || !track || item.artworkOf === artwork) return;
  const form = new FormData();
  form.set("track[artwork_data]", artwork, artwork.name);
  try {
    await callApi("PUT", `/tracks/${track.id}`, { form });
    item.artworkOf = artwork;
  } catch (error) {
    // The track was deleted meanwhile, which says more than this call's 404.
    if (item.isHopeless) return;
    item.noteProblems(problemOf(error));
    tell();
  }
}

/** One call after the other, so that the last save is the one that stays. */
export function saveTrack(item: Item, id: number): Promise<void> {
  item.sharing = item.values.sharing;
  const { artist, ...fields } = fieldsOf(item.values);
  const { sharing, edits } = item;
  const track = { ...fields, metadata_artist: artist, sharing };
  item.saving = item.saving.then(() => update(item, id, track, edits));
  return item.saving;
}

async function update(item: Item, id: number, track: object, edits: number): Promise<void> {
  item.problems = {};
  item.problem = undefined;
  try {
    item.track = await callApi<Track>("PUT", `/tracks/${id}`, { json: { track } });
    await sendArtwork(item);
  } catch (error) {
    item.noteProblems(problemOf(error));
  }
  item.isSaved = edits === item.edits && !Object.keys(item.problems).length && !item.problem;
  item.remember();
  tell();
}
