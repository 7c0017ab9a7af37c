import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Tells the local stack that the port is in use, unlike other failures. */
const EXIT_PORT_TAKEN = 98;
/** Milliseconds for replies in flight. */
const GRACE_MS = 500;

/** Listens on all hosts at one port. With port 0 the first host's choice holds for the others. */
export async function listenOn(hosts: readonly string[], wantedPort: number, create: () => Server) {
  const servers: Server[] = [];
  let port = wantedPort;
  for (const host of hosts) {
    const server = create();
    try {
      server.listen({ host, port, ipv6Only: true });
      await once(server, "listening");
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // Skip IPv6 on machines without it.
      if (host === "::1" && (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")) continue;
      if (code !== "EADDRINUSE") throw error;
      console.error(`object store: port ${port} on ${host} is already in use`);
      process.exit(EXIT_PORT_TAKEN);
    }
    servers.push(server);
    port = (server.address() as AddressInfo).port;
  }
  return { port, close: () => Promise.all(servers.map(close)) };
}

async function close(server: Server) {
  const closed = new Promise((resolve) => server.close(resolve));
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(timer);
}
