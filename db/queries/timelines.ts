import * as z from "zod";
import type { Told } from "../shape.ts";

/** What of a list was there when it was read, as `moment` tells it. */
export const Moment = () =>
  z.strictObject({
    snapshot: z.string(),
    settled: z.number(),
  });
export type Moment = Told<typeof Moment>;

/** A page of a list that is read on, newest first, and asked again for what came since. */
export interface TimelinePage {
  limit: number;
  /** Where the page before ended. */
  before?: number;
  /** When the first page was read: those after it hold what was there then, and its `future_href` leads on from it. */
  until?: Moment;
  /** Only what came after it. */
  since?: Moment;
}
