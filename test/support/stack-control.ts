import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Stack } from "../../workers/local/stack/stack.ts";

/** Lets test processes run crons and queues, and share a Worker with three hosts, in the process that holds the stack. */
export async function openControl(
  { worker }: Pick<Stack, "worker">,
  threeHosts: () => Promise<{ port: number }>,
) {
  const actions: Record<string, (asked: never) => unknown> = {
    "/three-hosts": async () => ({ port: (await threeHosts()).port }),
    "/scheduled": (asked: { cron: string }) => worker.scheduled(asked),
    "/queue": ({ name, messages }: { name: string; messages: QueueBody[] }) =>
      worker.queue(name, messages.map(toMessage)),
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
