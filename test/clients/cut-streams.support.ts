import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { freePorts } from "../../workers/local/stack/ports.ts";

/** Stands before a server and breaks each connection after so many bytes of its reply, wherever that is. */
export async function openCuttingProxy(target: string, bytesOf: (nth: number) => number) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), "127.0.0.1").setNoDelay();
    let left = bytesOf(++connections);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .once("close", () => {
          client.destroy();
          upstream.destroy();
          sockets.delete(socket);
        });
    }
    client.pipe(upstream);
    upstream.on("data", (reply: Buffer) => {
      const part = reply.subarray(0, left);
      left -= part.length;
      client.write(part, () => left === 0 && client.destroySoon());
    });
  });
  const port = await freePorts(1);
  const listen = () => once(server.listen(port, "127.0.0.1"), "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  onTestFinished(() => (server.listening ? close() : undefined));
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    /** Breaks all connections and refuses others. */
    down: close,
    up: listen,
  };
}
