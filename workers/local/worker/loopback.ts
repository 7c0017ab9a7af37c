import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Milliseconds. workerd keeps an idle connection for five seconds. Node would close it at about the same time. */
const KEEP_ALIVE_MS = 60_000;

/** Serves the Worker, and nobody outside this machine. Resolves to the port. Rejects if another server has it. */
export async function listenForWorker(server: Server, port = 0): Promise<number> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}
