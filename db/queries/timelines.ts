import * as z from "zod";
import type { ReplyOf } from "../shape.ts";

/** Snapshot of a list, as the function `moment` returns it. */
export const Moment = () =>
  z.strictObject({
    snapshot: z.string(),
    settled: z.number(),
  });
export type Moment = ReplyOf<typeof Moment>;

/** Page of a list that is read newest first, and polled for newer items. */
export interface TimelinePage {
  limit: number;
  /** End of the previous page. */
  before?: number;
  /** Snapshot of the first page. Later pages contain only rows it saw; its `future_href` continues from it. */
  until?: Moment;
  /** Limits the page to items newer than this. */
  since?: Moment;
}
