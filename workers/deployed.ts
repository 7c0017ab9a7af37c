import type { ExecutionContext, MessageBatch, ScheduledController } from "@cloudflare/workers-types";
// wrangler.toml's build writes it.
import ASSETS_VERSION from "../.wrangler/assets-version.txt";
import type { Env } from "../functions/lib/http/env.ts";
import worker from "./main.ts";

export * from "./main.ts";

let complete: Env | undefined;

/** An isolate has one environment. It stays one object, because what is kept by it is found again. */
const withAssets = (env: Env): Env => (complete ??= { ...env, ASSETS_VERSION });

/** The Worker as it is deployed: it knows the static files that went up with it. Locally a binding says them. */
export default {
  fetch: (request: Request, env: Env, ctx: ExecutionContext) => worker.fetch(request, withAssets(env), ctx),
  queue: (batch: MessageBatch<unknown>, env: Env, ctx: ExecutionContext) =>
    worker.queue(batch, withAssets(env), ctx),
  scheduled: (controller: ScheduledController, env: Env) => worker.scheduled(controller, withAssets(env)),
} satisfies typeof worker;
