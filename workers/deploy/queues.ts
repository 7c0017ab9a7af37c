import { type Environment, queuesOf } from "./environment.ts";
import { askWrangler, doByWrangler } from "./wrangler.ts";

/** Creates the queues that are missing, all at once; their consumers come with the Worker. */
export async function prepareQueues(into: Environment): Promise<void> {
  await Promise.all(queuesOf(into).map((queue) => createQueue(queue, into.environment)));
}

async function createQueue(queue: string, env: string): Promise<void> {
  if ((await askWrangler("queues", "info", queue, "--env", env)).ok) return;
  await doByWrangler(`Queue ${queue} created`, "queues", "create", queue, "--env", env);
}
