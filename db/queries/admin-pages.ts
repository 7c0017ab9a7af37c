import { eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { recounts } from "../schema/counters.ts";
import { deadLetters } from "../schema/dead-letters.ts";
import { mails } from "../schema/mails.ts";
import { reports } from "../schema/moderation.ts";
import { podcastImports } from "../schema/podcast-imports.ts";
import { encodingJobs } from "../schema/tracks.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { selected } from "../stored-select.ts";
import { mayRead, type Operator } from "./acts.ts";
import { moment, onlyRow } from "./caller.ts";
import { isIdle } from "./import-turns.ts";
import { readyReleases } from "./scheduled.ts";
import { storedTotalsNow } from "./stored-objects.ts";

/** Counts pending work for operators, and returns the time of the last recount. */
export async function showOverview(db: Database, operator: Operator) {
  const on = db.drizzle;
  const counts = on
    .select({
      reports_open: on.$count(reports, eq(reports.state, "open")),
      jobs_failed: on.$count(encodingJobs, eq(encodingJobs.state, "failed")),
      jobs_waiting: on.$count(encodingJobs, eq(encodingJobs.state, "queued")),
      jobs_running: on.$count(encodingJobs, eq(encodingJobs.state, "leased")),
      /** Null if nothing waits. */
      oldest_waiting_s: sql<number | null>`(
        select extract(epoch from now() - min(${encodingJobs.createdAt}))::float8
        from ${encodingJobs} where ${encodingJobs.state} = 'queued')`,
      publications_due: sql<number>`(select count(*) from (${readyReleases}) ready)`.mapWith(Number),
      /** Null if none is overdue. */
      oldest_publication_s: sql<number | null>`(
        select extract(epoch from now() - min(ready.publish_at))::float8 from (${readyReleases}) ready)`,
      imports_running: on.$count(podcastImports, eq(podcastImports.state, "running")),
      imports_idle: on.$count(podcastImports, isIdle),
      dead_letters: on.$count(deadLetters),
      mails_failed: on.$count(mails, eq(mails.state, "failed")),
      mails_waiting: on.$count(mails, eq(mails.state, "waiting")),
      deliveries_pending: on.$count(webhookDeliveries, eq(webhookDeliveries.state, "pending")),
      deliveries_failed: on.$count(webhookDeliveries, eq(webhookDeliveries.state, "failed")),
      stored: storedTotalsNow(on),
      webhooks_disabled: on.$count(webhooks, isNotNull(webhooks.disabledReason)),
    })
    .from(sql`(select) one`)
    .where(mayRead(operator));
  const passes = on
    .select({
      kind: recounts.kind,
      checked: recounts.checked,
      repaired: recounts.repaired,
      state: sql<"running" | "due" | "done">`case when ${recounts.afterId} is not null then 'running'
        when isfinite(${recounts.begunAt}) then 'done' else 'due' end`,
      /** Null if a recount is due. */
      begun_at: moment<string | null>(
        sql`case when isfinite(${recounts.begunAt}) then ${recounts.begunAt} end`,
      ),
    })
    .from(recounts)
    .where(mayRead(operator))
    .orderBy(recounts.kind);
  const [counted, recounted] = await db.readAll([selected(counts), selected(passes)]);
  return { ...onlyRow(counted), recounts: recounted };
}

export type Overview = Awaited<ReturnType<typeof showOverview>>;
