import { and, desc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import * as z from "zod";
import type { Database, Reader } from "../client.ts";
import { deadLetters } from "../schema/dead-letters.ts";
import { apps, users } from "../schema/people.ts";
import { encodingJobs, tracks } from "../schema/tracks.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { type By, below, mayAct, mayRead, noted, type Operator, type Page } from "./acts.ts";
import { createdAt, firstRow, moment } from "./caller.ts";

/** Encoding jobs, dead letters and webhook deliveries, as operators see, retry and drop them. */

const jobs = (on: Reader) =>
  on
    .select({
      track: encodingJobs.trackId,
      title: tracks.title,
      /** User and track, as in the page's address. */
      path: sql<string>`${users.permalink} || '/' || ${tracks.permalink}`,
      user_id: users.id,
      user: users.permalink,
      bytes: tracks.originalContentSize,
      state: encodingJobs.state,
      attempts: encodingJobs.attempt,
      failure_reason: encodingJobs.failureReason,
      failure_detail: encodingJobs.failureDetail,
      transcoder: encodingJobs.transcoder,
      progress: encodingJobs.progress,
      created_at: moment<string>(encodingJobs.createdAt),
      next_run_at: moment<string>(encodingJobs.nextRunAt),
      started_at: moment<string | null>(encodingJobs.startedAt),
      finished_at: moment<string | null>(encodingJobs.finishedAt),
    })
    .from(encodingJobs)
    .innerJoin(tracks, eq(tracks.id, encodingJobs.trackId))
    .innerJoin(users, eq(users.id, tracks.userId));

export type Job = Awaited<ReturnType<typeof jobs>>[number];

const letter = {
  id: deadLetters.id,
  queue: deadLetters.queue,
  body: deadLetters.body,
  created_at: createdAt(deadLetters.id),
  retry_at: moment<string | null>(deadLetters.retryAt),
};

const letters = (on: Reader) => on.select(letter).from(deadLetters);

export type DeadLetter = Awaited<ReturnType<typeof letters>>[number];

const lastAttempt = sql`${webhookDeliveries.attempts} -> -1`;

const deliveries = (on: Reader) =>
  on
    .select({
      id: webhookDeliveries.id,
      webhook_id: webhookDeliveries.webhookId,
      /** The rest of the address may be the receiver's secret. */
      host: webhooks.targetHost,
      user_id: users.id,
      user: users.permalink,
      app: apps.name,
      event: webhookDeliveries.event,
      state: webhookDeliveries.state,
      tries: webhookDeliveries.tries,
      /** From the last attempt. */
      failure: sql<string | null>`${lastAttempt} ->> 'failure'`,
      response_code: sql<number | null>`(${lastAttempt} ->> 'response_code')::integer`,
      enabled: webhooks.enabled,
      disabled_reason: webhooks.disabledReason,
      created_at: createdAt(webhookDeliveries.id),
      next_attempt_at: moment<string | null>(webhookDeliveries.nextAttemptAt),
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .innerJoin(users, eq(users.id, webhooks.userId))
    .innerJoin(apps, eq(apps.id, webhooks.appId));

export type Delivery = Awaited<ReturnType<typeof deliveries>>[number];

export const JOB_STATES = ["failed", "queued", "leased"] as const;
type JobState = (typeof JOB_STATES)[number];

/** `disabled`: failed, for a webhook that is switched off. */
export const DELIVERY_STATES = ["failed", "pending", "disabled"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Lists begin with the newest. */
export const listJobs = (db: Database, operator: Operator, state: JobState, { before, limit }: Page) =>
  db.read((on) =>
    jobs(on)
      .where(and(mayRead(operator), below(encodingJobs.trackId, before), eq(encodingJobs.state, state)))
      .orderBy(desc(encodingJobs.trackId))
      .limit(limit),
  );

export const listDeadLetters = (db: Database, operator: Operator, { before, limit }: Page) =>
  db.read((on) =>
    letters(on)
      .where(and(mayRead(operator), below(deadLetters.id, before)))
      .orderBy(desc(deadLetters.id))
      .limit(limit),
  );

export const listDeliveries = (
  db: Database,
  operator: Operator,
  state: DeliveryState,
  { before, limit }: Page,
) =>
  db.read((on) => {
    const isInState =
      state === "pending"
        ? eq(webhookDeliveries.state, "pending")
        : and(eq(webhookDeliveries.state, "failed"), eq(webhooks.enabled, state === "failed"));
    return deliveries(on)
      .where(and(mayRead(operator), below(webhookDeliveries.id, before), isInState))
      .orderBy(desc(webhookDeliveries.id))
      .limit(limit);
  });

/** The present state of a job on which an operator acted. */
export const findJob = (db: Database, operator: Operator, track: number) =>
  db.read((on) => jobs(on).where(and(mayRead(operator), eq(encodingJobs.trackId, track)))).then(firstRow);

export const findDelivery = (db: Database, operator: Operator, id: number) =>
  db.read((on) => deliveries(on).where(and(mayRead(operator), eq(webhookDeliveries.id, id)))).then(firstRow);

export type OperationAct = "retry" | "drop";

const outcomeOf = <Refusal extends string>(refusals: readonly [Refusal, ...Refusal[]]) =>
  z.strictObject({ outcome: z.enum(["done", ...refusals]) });

export const actOnJob = (db: Database, by: By, act: OperationAct, track: number) =>
  db.call("act_on_job", () => outcomeOf(["unknown", "finished", "running", "failed", "no_original"]), {
    by,
    act,
    track,
  });

export const actOnDelivery = (db: Database, by: By, act: OperationAct, id: number) =>
  db.call("act_on_delivery", () => outcomeOf(["unknown", "running", "disabled", "failed", "delivered"]), {
    by,
    act,
    id,
  });

/** Drops a dead letter, or makes it due: the cron sends it again. `unsendable`: it fits no queue. */
export async function actOnDeadLetter(db: Database, by: By, act: OperationAct, id: number) {
  const [found] = await db.write((on) => {
    const isMeant = and(mayAct(by), eq(deadLetters.id, id));
    const returned = { id: deadLetters.id, retryAt: deadLetters.retryAt };
    const isSendable = ne(deadLetters.queue, "unknown");
    const changed = on
      .$with("changed")
      .as(
        act === "drop"
          ? on.delete(deadLetters).where(isMeant).returning(returned)
          : on
              .update(deadLetters)
              .set({ retryAt: sql`now()` })
              .where(and(isMeant, isSendable))
              .returning(returned),
      );
    const target = { kind: "dead-letter", id: deadLetters.id, name: deadLetters.queue };
    const written = noted(
      by,
      `dead-letter.${act}`,
      target,
      sql`jsonb_build_object('body', ${deadLetters.body})`,
    );
    // The snapshot still has a letter that was dropped.
    return on
      .with(changed)
      .select({
        changed: changed.id,
        letter: { ...letter, retry_at: moment<string | null>(changed.retryAt) },
        noted: sql`case when ${changed.id} is not null then ${written} end`,
      })
      .from(deadLetters)
      .leftJoin(changed, eq(changed.id, deadLetters.id))
      .where(eq(deadLetters.id, id));
  });
  if (!found) return { outcome: "unknown" } as const;
  if (found.changed === null) return { outcome: "unsendable" } as const;
  return { outcome: "done", letter: found.letter } as const;
}

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
