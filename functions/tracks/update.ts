import type { Context } from "hono";
import { updateTrack } from "../../db/queries/own-tracks.ts";
import type { TrackRow } from "../../db/queries/tracks.ts";
import type { UserEnv } from "../http/env.ts";
import { expectedVersions } from "../http/etag.ts";
import { storeImageField } from "../images/store.ts";
import { columnsOf } from "./columns.ts";
import type { TrackChanges } from "./input.ts";
import { unwrap } from "./refusals.ts";

/** The specification lists no artist among the form fields of an update. In JSON it is `metadata_artist`. */
const isForm = (c: Context) => /form/i.test(c.req.header("Content-Type") ?? "");

export async function changeTrack(
  c: Context<UserEnv>,
  id: number,
  { metadata_artist, artwork_data, asset_data: _, ...fields }: TrackChanges,
): Promise<TrackRow> {
  const artist = isForm(c) ? undefined : metadata_artist;
  const artwork_version =
    artwork_data && (await storeImageField(c, "artwork", "track[artwork_data]", artwork_data.bytes));
  const columns = columnsOf({ ...fields, artwork_version, ...(artist !== undefined && { artist }) });
  return unwrap(await updateTrack(c.var.db, c.var.viewer, id, columns, expectedVersions(c)), fields).track;
}
