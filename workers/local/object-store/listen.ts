import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What the local stack reads as "this port is taken", as opposed to a failure of ours. */
const EXIT_PORT_TAKEN = 98;
/** Milliseconds for replies under way. */
const GRACE_MS = 500;

/** All hosts on one port; when that is 0, on the one the first of them is given. */
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
      // A machine without IPv6 still has its IPv4.
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
