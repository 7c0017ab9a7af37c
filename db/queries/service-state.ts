import { and, count, eq, inArray, isNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { connectionPosts, connections } from "../schema/connections.ts";
import { deadLetters } from "../schema/dead-letters.ts";
import { mails } from "../schema/mails.ts";
import { reports } from "../schema/moderation.ts";
import { users } from "../schema/people.ts";
import { podcastImports } from "../schema/podcast-imports.ts";
import { encodingJobs, transcoders } from "../schema/tracks.ts";
import { objectGarbage, uploads } from "../schema/uploads.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { onlyRow } from "./caller.ts";
import { deletableAt, isDeletable } from "./garbage.ts";
import { isIdle } from "./import-turns.ts";
import { readyReleases } from "./scheduled.ts";
import { storedTotalsNow } from "./stored-objects.ts";

const now = sql`now()`;

const countOf = (matching: SQL | undefined) => sql`count(*) filter (where ${matching})`.mapWith(Number);

/** Seconds since the earliest moment. Zero for none: nothing waits. */
const oldest = (moment: SQLWrapper) =>
  sql`coalesce(greatest(0, extract(epoch from now() - min(${moment}))), 0)`.mapWith(Number);

/**
 * Counts waiting and running work, and returns the age of the oldest in seconds. Each part reads an index that holds
 * nothing else.
 */
export const readServiceState = (db: Database, deletedObjectsDays: number) =>
  db
    .read((on) => {
      const isDue = and(eq(mails.state, "waiting"), lte(mails.nextAttemptAt, now));
      const waiting = on
        .select({
          jobs_waiting: count().as("jobs_waiting"),
          job_waits_s: oldest(sql`greatest(${encodingJobs.nextRunAt}, ${encodingJobs.createdAt})`).as(
            "job_waits_s",
          ),
        })
        .from(encodingJobs)
        .where(and(eq(encodingJobs.state, "queued"), lte(encodingJobs.nextRunAt, now)))
        .as("waiting");
      const running = on
        .select({
          jobs_running: count().as("jobs_running"),
          job_runs_s: oldest(encodingJobs.startedAt).as("job_runs_s"),
          /** Leased, but silent for longer than the lease. */
          jobs_lost: countOf(sql`${encodingJobs.leaseUntil} < now()`).as("jobs_lost"),
        })
        .from(encodingJobs)
        .where(eq(encodingJobs.state, "leased"))
        .as("running");
      const deliveries = on
        .select({
          deliveries_due: count().as("deliveries_due"),
          delivery_waits_s: oldest(webhookDeliveries.nextAttemptAt).as("delivery_waits_s"),
        })
        .from(webhookDeliveries)
        .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
        .where(
          and(
            eq(webhookDeliveries.state, "pending"),
            lte(webhookDeliveries.nextAttemptAt, now),
            sql`${webhooks.enabled} and not ${webhooks.slow}`,
          ),
        )
        .as("deliveries");
      const posts = on
        .select({
          posts_due: count().as("posts_due"),
          post_waits_s: oldest(connectionPosts.dueAt).as("post_waits_s"),
        })
        .from(connectionPosts)
        .innerJoin(connections, eq(connections.id, connectionPosts.connectionId))
        .innerJoin(users, eq(users.id, connections.userId))
        // Those of suspended users wait for the end of the suspension.
        .where(and(lte(connectionPosts.dueAt, now), isNull(users.disabledAt)))
        .as("posts");
      const letters = on
        .select({
          mails_due: countOf(isDue).as("mails_due"),
          mail_waits_s: oldest(mails.nextAttemptAt).as("mail_waits_s"),
          /** Mails that failed for good and wait for an operator. */
          mails_failed: countOf(eq(mails.state, "failed")).as("mails_failed"),
        })
        .from(mails)
        .as("letters");
      const garbage = on
        .select({
          garbage_due: count().as("garbage_due"),
          garbage_waits_s: oldest(deletableAt(deletedObjectsDays)).as("garbage_waits_s"),
        })
        .from(objectGarbage)
        .where(isDeletable(deletedObjectsDays))
        .as("garbage");
      const publications = on
        .select({
          publications_due: count().as("publications_due"),
          publication_waits_s: oldest(sql`ready.publish_at`).as("publication_waits_s"),
        })
        .from(sql`(${readyReleases}) ready`)
        .as("publications");
      return on
        .select({
          jobs_waiting: waiting.jobs_waiting,
          job_waits_s: waiting.job_waits_s,
          jobs_running: running.jobs_running,
          job_runs_s: running.job_runs_s,
          jobs_lost: running.jobs_lost,
          deliveries_due: deliveries.deliveries_due,
          delivery_waits_s: deliveries.delivery_waits_s,
          posts_due: posts.posts_due,
          post_waits_s: posts.post_waits_s,
          mails_due: letters.mails_due,
          mail_waits_s: letters.mail_waits_s,
          mails_failed: letters.mails_failed,
          garbage_due: garbage.garbage_due,
          garbage_waits_s: garbage.garbage_waits_s,
          /** Releases whose time has come. */
          publications_due: publications.publications_due,
          publication_waits_s: publications.publication_waits_s,
          imports_running: on.$count(podcastImports, eq(podcastImports.state, "running")),
          /** Nothing of them is fetched. */
          imports_idle: on.$count(podcastImports, isIdle),
          /** Messages that no consumer could process. */
          dead_letters: on.$count(deadLetters, isNull(deadLetters.retryAt)),
          reports_open: on.$count(reports, eq(reports.state, "open")),
          uploads_open: on.$count(uploads, inArray(uploads.status, ["open", "completing", "ready"])),
          /** Seen within five minutes. */
          transcoders: on.$count(transcoders, sql`${transcoders.seenAt} > now() - interval '5 minutes'`),
          stored: storedTotalsNow(on),
          database_bytes: sql`pg_database_size(current_database())`.mapWith(Number),
        })
        .from(waiting)
        .crossJoin(running)
        .crossJoin(deliveries)
        .crossJoin(posts)
        .crossJoin(letters)
        .crossJoin(garbage)
        .crossJoin(publications);
    })
    .then(onlyRow);

export type ServiceState = Awaited<ReturnType<typeof readServiceState>>;
