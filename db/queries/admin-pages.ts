import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf, Shape } from "../shape.ts";
import { repeatAs, type SignedIn } from "./caller.ts";
import { DeadLetter, Delivery, type DeliveryState, Job, type JobState, type Page } from "./operations.ts";

/** Contents of the pages for operators. Fails with `NotOperator` or `SecondFactorNeeded` for others. */

const show = <Reply>(db: Database, user: SignedIn, page: string, shape: Shape<Reply>, given: object = {}) =>
  repeatAs(db, "show_admin_page", shape, user, { page, given });

const Overview = () =>
  z.strictObject({
    jobs_failed: z.number(),
    jobs_waiting: z.number(),
    jobs_running: z.number(),
    /** Null if none waits. */
    oldest_waiting_s: z.number().nullable(),
    dead_letters: z.number(),
    deliveries_pending: z.number(),
    deliveries_failed: z.number(),
    webhooks_disabled: z.number(),
  });
export type Overview = ReplyOf<typeof Overview>;

export const showOverview = (db: Database, user: SignedIn) => show(db, user, "overview", Overview);

const Jobs = () => z.array(Job());
const DeadLetters = () => z.array(DeadLetter());
const Deliveries = () => z.array(Delivery());

export const showJobs = (db: Database, user: SignedIn, page: Page & { state: JobState }) =>
  show(db, user, "jobs", Jobs, page);

export const showDeadLetters = (db: Database, user: SignedIn, page: Page) =>
  show(db, user, "dead-letters", DeadLetters, page);

export const showDeliveries = (db: Database, user: SignedIn, page: Page & { state: DeliveryState }) =>
  show(db, user, "deliveries", Deliveries, page);
