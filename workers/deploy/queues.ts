import { type Environment, queuesOf } from "./environment.ts";
import { askWrangler, doByWrangler } from "./wrangler.ts";

/** Creates the queues that are missing; their consumers come with the Worker. */
export async function prepareQueues(into: Environment): Promise<void> {
  for (const queue of queuesOf(into)) {
    if ((await askWrangler("queues", "info", queue, "--env", into.environment)).ok) continue;
    await doByWrangler(`Queue ${queue} created`, "queues", "create", queue, "--env", into.environment);
  }
}
