import type * as z from "zod";
import { SANITIZER_VERSION } from "../../lib/text/html.ts";
import type { Artwork } from "../images/links.ts";
import type { trackFields } from "./fields.ts";

type Fields = z.output<z.ZodObject<typeof trackFields>> &
  Partial<Artwork> & {
    title?: string | undefined;
    artist?: string | null | undefined;
  };

/** Maps fields to columns. Omitted fields are left out, so they stay unchanged. */
export function columnsOf({ release_date, ...fields }: Fields): Record<string, unknown> {
  return {
    ...fields,
    ...(fields.tag_list === null && { tag_list: "" }),
    ...(fields.bpm && { bpm: Number(fields.bpm.toFixed(2)) }),
    ...(fields.description !== undefined && { sanitizer_version: SANITIZER_VERSION }),
    ...(release_date !== undefined && releaseColumns(release_date)),
  };
}

function releaseColumns(date: string | null) {
  const [year = null, month = null, day = null] = date?.split("-").map(Number) ?? [];
  return { release_year: year, release_month: month, release_day: day };
}
