import type { Context } from "hono";
import { updateTrack } from "../../../db/queries/own-tracks.ts";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import { createTrack, type NewTrack, type TrackCreation } from "../../../db/queries/tracks.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import { expectedVersions } from "../../lib/http/etag.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { romanized } from "../../lib/text/permalink.ts";
import { isReserved } from "../../lib/text/reserved.ts";
import { storeArtworkField } from "../images/store.ts";
import { refuseOverQuota } from "../uploads/quota.ts";
import { noSuchArtist } from "./artists.ts";
import { columnsOf } from "./columns.ts";
import { dispatch } from "./dispatch.ts";
import { REFUSALS, unwrap } from "./errors.ts";
import type { NewTrackFields, TrackChanges } from "./input.ts";
import { newSecret } from "./secret.ts";

export const createTrackFromUpload = (c: Context<UserEnv>, { upload_id, ...fields }: NewTrackFields) =>
  acceptTrack(c, "track[upload_id]", fields, (track) =>
    createTrack(c.var.db, c.var.viewer, { ...track, uploadId: upload_id }),
  );

type Insert = (track: Omit<NewTrack, "uploadId">) => Promise<TrackCreation>;

/**
 * Creates a track in one transaction, then notifies the queue. The reconciling cron recovers a lost message. `source`
 * is the field with the audio.
 */
export async function acceptTrack(
  c: Context<UserEnv>,
  source: "track[upload_id]" | "track[asset_data]",
  fields: Omit<NewTrackFields, "upload_id">,
  insert: Insert,
): Promise<TrackRow> {
  const reply = await insert({
    fields: columnsOf(fields),
    permalink: await permalinkOf(fields.title),
    ...newSecret(c.env).stored,
    creditBudget: budgetOf(c.env, "credits"),
  });
  const creation = settleBudget(c, "credits", reply);
  if (creation.outcome === "unknown_artist") return noSuchArtist(creation.place);
  if (creation.outcome === "unknown_upload") return invalid(`${source}: you have no such upload`);
  if (creation.outcome === "not_ready")
    return invalid(`${source}: the upload is ${creation.status}, not ready`);
  if (creation.outcome === "over_quota") return refuseOverQuota("track[asset_data]", creation.quota);
  if (!("track" in creation)) return REFUSALS[creation.outcome](fields);
  if (creation.outcome === "created") dispatch(c, { track: creation.track.id, generation: 1 });
  return creation.track;
}

/** Falls back to `track`. Reserved words, such as `sets`, would hide a page. */
export async function permalinkOf(title: string): Promise<string> {
  const words = await romanized(title);
  return !words || isReserved(words) ? `track${words && `-${words}`}` : words;
}

export async function changeTrack(
  c: Context<UserEnv>,
  id: number,
  { metadata_artist: artist, artwork_data, asset_data: _, ...fields }: TrackChanges,
): Promise<TrackRow> {
  const artwork = await storeArtworkField(c, "track[artwork_data]", artwork_data);
  const columns = {
    ...columnsOf({ ...fields, ...artwork, ...(artist !== undefined && { artist }) }),
    ...(fields.title && { title_permalink: await permalinkOf(fields.title) }),
  };
  const conditions = { expected: expectedVersions(c), creditBudget: budgetOf(c.env, "credits") };
  const updated = await updateTrack(c.var.db, c.var.viewer, id, columns, conditions);
  const change = settleBudget(c, "credits", updated);
  return change.outcome === "unknown_artist" ? noSuchArtist(change.place) : unwrap(change, fields).track;
}
