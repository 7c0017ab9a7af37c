import { inArray, lte, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../client.ts";
import { rowOf } from "../row-shape.ts";
import { deadLetters } from "../schema/dead-letters.ts";
import { encodingJobs } from "../schema/tracks.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { changeOf, type ReplyOf } from "../shape.ts";
import type { By, Page } from "./moderation.ts";

/** Encoding jobs, dead letters and webhook deliveries, as operators see, retry and drop them. */

export const Job = () =>
  rowOf(encodingJobs)
    .pick({
      ...{ state: true, failure_reason: true, failure_detail: true, transcoder: true, progress: true },
      ...{ created_at: true, next_run_at: true, started_at: true, finished_at: true },
    })
    .extend({
      track: z.number(),
      title: z.string(),
      /** User and track, as in the page's address. */
      path: z.string(),
      user_id: z.number(),
      user: z.string(),
      bytes: z.number().nullable(),
      attempts: z.number(),
    });
export type Job = ReplyOf<typeof Job>;

export const JOB_STATES = ["failed", "queued", "leased"] as const;
export type JobState = (typeof JOB_STATES)[number];

export const DeadLetter = () =>
  rowOf(deadLetters).omit({ message_id: true }).extend({ created_at: z.string(), body: z.unknown() });
export type DeadLetter = ReplyOf<typeof DeadLetter>;

export const Delivery = () =>
  rowOf(webhookDeliveries)
    .pick({ id: true, webhook_id: true, event: true, state: true, tries: true, next_attempt_at: true })
    .extend({
      ...rowOf(webhooks).pick({ enabled: true, disabled_reason: true }).shape,
      host: z.string(),
      user_id: z.number(),
      user: z.string(),
      app: z.string(),
      /** The last attempt's. */
      failure: z.string().nullable(),
      response_code: z.number().nullable(),
      created_at: z.string(),
    });
export type Delivery = ReplyOf<typeof Delivery>;

/** `disabled`: failed, for a webhook that is switched off. */
export const DELIVERY_STATES = ["failed", "pending", "disabled"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const listJobs = (db: Database, state: JobState, page: Page) =>
  db.call("list_jobs", () => z.array(Job()), { state, ...page });

export const listDeadLetters = (db: Database, page: Page) =>
  db.call("list_dead_letters", () => z.array(DeadLetter()), { ...page });

export const listDeliveries = (db: Database, state: DeliveryState, page: Page) =>
  db.call("list_deliveries", () => z.array(Delivery()), { state, ...page });

export type OperationAct = "retry" | "drop";

export const operateJob = (db: Database, by: By, act: OperationAct, track: number) =>
  db.call(
    "operate_job",
    () => changeOf(z.enum(["unknown", "finished", "running", "failed"]), { job: Job() }),
    {
      by,
      act,
      track,
    },
  );

export const operateDeadLetter = (db: Database, by: By, act: OperationAct, id: number) =>
  db.call(
    "operate_dead_letter",
    () => changeOf(z.enum(["unknown", "unsendable"]), { letter: DeadLetter() }),
    {
      by,
      act,
      id,
    },
  );

export const operateDelivery = (db: Database, by: By, act: OperationAct, id: number) =>
  db.call(
    "operate_delivery",
    () =>
      changeOf(z.enum(["unknown", "running", "disabled", "failed", "delivered"]), { delivery: Delivery() }),
    { by, act, id },
  );

interface NewDeadLetter {
  messageId: string;
  queue: DeadLetter["queue"];
  body: unknown;
}

/** Keeps a message that its queue gave up. A second delivery of it changes nothing. */
export const keepDeadLetter = (db: Database, letter: NewDeadLetter) =>
  db.write((on) => on.insert(deadLetters).values(letter).onConflictDoNothing(), "repeatable");

/** Lists what operators want sent again, oldest first. */
export const dueDeadLetters = (db: Database, limit: number) =>
  db.read((on) =>
    on
      .select({ id: deadLetters.id, queue: deadLetters.queue, body: deadLetters.body })
      .from(deadLetters)
      .where(lte(deadLetters.retryAt, sql`now()`))
      .orderBy(deadLetters.id)
      .limit(limit),
  );

/** Forgets letters that were sent again. */
export const forgetDeadLetters = (db: Database, ids: number[]) =>
  db.write((on) => on.delete(deadLetters).where(inArray(deadLetters.id, ids)), "repeatable");
