import * as z from "zod";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import { timestamp } from "../../lib/http/links.ts";
import { about } from "../../lib/text/fields.ts";

export const Takedown = z
  .strictObject({
    reason: z
      .string()
      .meta(about("The operator's words.", "Somebody else says that the recording is theirs.")),
    created_at: z
      .string()
      .meta(
        about("When it was taken down. UTC, as `yyyy/mm/dd hh:mm:ss +0000`.", "2026/11/23 12:00:00 +0000"),
      ),
  })
  .meta({ id: "Takedown" });

export const representTakedown = ({
  reason,
  created_at,
}: NonNullable<TrackRow["takedown"]>): z.infer<typeof Takedown> => ({
  reason,
  created_at: timestamp(created_at),
});
