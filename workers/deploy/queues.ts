import { type Environment, queuesOf } from "./environment.ts";
import { askWrangler, runWrangler } from "./wrangler.ts";

/** Creates missing queues in parallel. Their consumers come with the Worker. */
export async function prepareQueues(into: Environment): Promise<void> {
  await Promise.all(queuesOf(into).map((queue) => createQueue(queue, into.environment)));
}

async function createQueue(queue: string, env: string): Promise<void> {
  if ((await askWrangler("queues", "info", queue, "--env", env)).ok) return;
  await runWrangler(`Queue ${queue} created`, "queues", "create", queue, "--env", env);
}
