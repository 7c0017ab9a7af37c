import type { Context } from "hono";
import type { UserEnv } from "../http/env.ts";
import { storeImageField } from "../images/store.ts";
import { columnsOf } from "../tracks/columns.ts";
import type { PlaylistFields } from "./input.ts";

/** Maps fields to columns and stores the picture. Omitted fields stay out. */
export async function storedColumns(
  c: Context<UserEnv>,
  { artwork_data, tracks: _, set_type, ...fields }: PlaylistFields,
): Promise<Record<string, unknown>> {
  const artwork_version =
    artwork_data && (await storeImageField(c, "artwork", "playlist[artwork_data]", artwork_data.bytes));
  const type = set_type && { playlist_type: set_type === "album" ? set_type : null };
  return columnsOf({ ...type, ...fields, artwork_version });
}
