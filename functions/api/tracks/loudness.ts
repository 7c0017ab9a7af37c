import * as z from "zod";
import type { LoudnessRow } from "../../../db/queries/track-rows.ts";

export const Loudness = z
  .strictObject({
    integrated: z.number().nullable().describe("LUFS. Null if the audio is silent or too short to measure."),
    range: z.number().nullable().describe("LU."),
    true_peak: z.number().nullable().describe("dBTP."),
  })
  .meta({ id: "Loudness" });
export type Loudness = z.infer<typeof Loudness>;

export const representLoudness = (row: LoudnessRow | null): Loudness | null =>
  row && {
    integrated: row.integrated_lufs,
    range: row.range_lu,
    true_peak: row.true_peak_dbtp,
  };
