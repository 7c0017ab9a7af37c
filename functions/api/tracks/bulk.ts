import type { Context } from "hono";
import { deleteTracks, type TrackOutcome, updateTracks } from "../../../db/queries/bulk-tracks.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import type { BulkChanges, BulkReply } from "./bulk-input.ts";
import { columnsOf } from "./columns.ts";
import { REFUSALS, type SentDate } from "./errors.ts";
import { MAX_TAGS } from "./fields.ts";

export async function changeTracks(
  c: Context<UserEnv>,
  { ids, track = {}, add_tags = [], remove_tags = [] }: BulkChanges,
): Promise<BulkReply> {
  const { metadata_artist: artist, ...fields } = track;
  const columns = columnsOf({ ...fields, ...(artist !== undefined && { artist }) });
  const removed = remove_tags.map((tag) => tag.toLowerCase());
  const outcomes = await updateTracks(c.var.db, c.var.viewer, ids, { columns, added: add_tags, removed });
  return representOutcomes(outcomes, fields);
}

export const removeTracks = async (c: Context<UserEnv>, ids: number[]): Promise<BulkReply> =>
  representOutcomes(await deleteTracks(c.var.db, c.var.viewer, ids));

const representOutcomes = (outcomes: TrackOutcome[], sent?: SentDate): BulkReply => ({
  done: outcomes.filter(({ outcome }) => outcome === "done").map(({ id }) => id),
  refused: outcomes.flatMap(({ id, title, outcome }) =>
    outcome === "done" ? [] : [{ id, title, error_message: reasonOf(outcome, sent) }],
  ),
});

/** Returns the text of the error that the refusal of one track would be. */
function reasonOf(outcome: Exclude<TrackOutcome["outcome"], "done">, sent: SentDate | undefined): string {
  try {
    if (outcome === "too_many_tags") return invalid(`track[tag_list]: may hold ${MAX_TAGS} tags at most`);
    return REFUSALS[outcome](sent);
  } catch (error) {
    if (error instanceof HttpError) return error.causes.join("; ");
    throw error;
  }
}
