import * as z from "zod";
import type { LoudnessRow } from "../../../db/queries/track-rows.ts";
import { about } from "../../lib/text/fields.ts";

export const Loudness = z
  .strictObject({
    integrated: z
      .number()
      .nullable()
      .meta(about("LUFS. Null if the audio is silent or too short to measure.", -14.2)),
    range: z.number().nullable().meta(about("LU.", 6.1)),
    true_peak: z.number().nullable().meta(about("dBTP.", -1.1)),
  })
  .meta({ id: "Loudness" });
export type Loudness = z.infer<typeof Loudness>;

export const representLoudness = (row: LoudnessRow | null): Loudness | null =>
  row && {
    integrated: row.integrated_lufs,
    range: row.range_lu,
    true_peak: row.true_peak_dbtp,
  };
