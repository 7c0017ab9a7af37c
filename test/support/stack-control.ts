import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Stack } from "../../workers/local/stack/stack.ts";

type Scheduled = Stack["worker"]["scheduled"];

/**
 * Sweeps run one after the other: each would skip what another has locked, and its test would find that still there. All who
 * wait for the present one share the next.
 */
export function inTurns(scheduled: Scheduled): Scheduled {
  let running: Promise<unknown> = Promise.resolve();
  let next: ReturnType<Scheduled> | undefined;
  return (asked) => {
    if (asked.cron !== "*/5 * * * *") return scheduled(asked);
    next ??= running.then(() => {
      next = undefined;
      const run = scheduled(asked);
      running = run.catch(() => {});
      return run;
    });
    return next;
  };
}

/** Lets test processes run crons and queues, and share a Worker with three hosts, in the process that holds the stack. */
export async function openControl(
  { queue, scheduled }: Pick<Stack["worker"], "queue" | "scheduled">,
  threeHosts: () => Promise<{ port: number }>,
) {
  const actions: Record<string, (asked: never) => unknown> = {
    "/three-hosts": async () => ({ port: (await threeHosts()).port }),
    "/scheduled": (asked: { cron: string }) => scheduled(asked),
    "/queue": ({ name, messages }: { name: string; messages: QueueBody[] }) =>
      queue(name, messages.map(toMessage)),
  };
  const server = createServer(async (request, response) => {
    try {
      const action = actions[request.url ?? ""];
      if (!action) throw new Error(`No such action: ${request.url}`);
      response.end(JSON.stringify(await action((await json(request)) as never)));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  });
  // A busy process may send on a connection just when it is closed as idle.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type QueueBody = { body: unknown; attempts?: number; id?: string };

const toMessage = ({ body, attempts = 1, id = crypto.randomUUID() }: QueueBody) => ({
  id,
  body,
  attempts,
  timestamp: new Date(),
});
