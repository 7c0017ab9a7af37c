import { WorkerEntrypoint } from "cloudflare:workers";
import type { ExecutionContext, MessageBatch, ScheduledController } from "@cloudflare/workers-types";
import { serve } from "../functions/app.ts";
import type { Env } from "../functions/lib/http/env.ts";
import { attempt } from "./crons/attempts.ts";
import { measureCondition } from "./crons/condition.ts";
import { reconcile } from "./crons/reconcile.ts";
import { resetSandbox } from "./crons/sandbox.ts";
import { sweep } from "./crons/sweep.ts";
import { gateway } from "./encoding/gateway.ts";
import { refuseAround } from "./front-secret.ts";
import { postToConnections } from "./queues/connection-posts.ts";
import { buryDeadLetters } from "./queues/dead-letters.ts";
import { moveIn } from "./queues/imports.ts";
import { startJobs } from "./queues/jobs.ts";
import { sendMails } from "./queues/mails.ts";
import { countPlayed } from "./queues/plays.ts";
import { deliverWebhooks } from "./queues/webhooks.ts";

export { ContainerOutbound, TranscoderContainer } from "./encoding/container.ts";

/** Listed in `wrangler.toml`. The minute's cron reconciles. */
const SWEEP_CRON = "*/5 * * * *";
/** In place of both, where the database may sleep between. */
const RARE_CRON = "*/30 * * * *";
/** Sandbox only. */
const RESET_CRON = "0 4 * * *";

export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) =>
    refuseAround(request, env) ?? serve(request, env, ctx),

  // Deployed queues carry the environment's name: `jobs-production`.
  queue(batch: MessageBatch<unknown>, env: Env, ctx: ExecutionContext) {
    if (batch.queue.startsWith("dead-letters")) return buryDeadLetters(batch, env);
    if (batch.queue.startsWith("plays")) return countPlayed(batch, env);
    if (batch.queue.startsWith("connection-posts")) return postToConnections(batch, env);
    if (batch.queue.startsWith("webhooks")) return deliverWebhooks(batch, env, ctx);
    if (batch.queue.startsWith("mails")) return sendMails(batch, env);
    if (batch.queue.startsWith("imports")) return moveIn(batch, env);
    return startJobs(batch, env);
  },

  async scheduled({ cron }: ScheduledController, env: Env) {
    if (cron === RESET_CRON) return resetSandbox(env);
    if (cron !== SWEEP_CRON) {
      await attempt("condition", () => measureCondition(env, cron === RARE_CRON ? 1_800 : 60));
      await reconcile(env);
    }
    if (cron === SWEEP_CRON || cron === RARE_CRON) await sweep(env);
  },
};

/** The transcoder calls it, locally on an unpublished port. Deployed, only the container reaches it. */
export class TranscoderGateway extends WorkerEntrypoint<Env> {
  override fetch(request: Request) {
    return gateway.fetch(request, this.env);
  }
}
