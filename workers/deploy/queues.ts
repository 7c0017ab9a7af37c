import { type Environment, queuesOf } from "./environment.ts";
import { createUnlessThere } from "./wrangler.ts";

/** Creates missing queues in parallel. Their consumers come with the Worker. */
export async function prepareQueues(into: Environment): Promise<void> {
  await Promise.all(queuesOf(into).map((queue) => createQueue(queue, into.environment)));
}

const createQueue = (queue: string, env: string): Promise<void> =>
  createUnlessThere(`Queue ${queue}`, "queues", "create", queue, "--env", env);
