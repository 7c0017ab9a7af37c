import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePorts } from "../../workers/local/stack/ports.ts";

/** Hears what a client sends, and says whether the wire stays whole. */
type Trouble = (sent: Buffer, wire: { client: Socket; server: Socket }) => boolean;

/** Stands between a client and a server and breaks their connections, whatever they speak. */
export async function openWires(targetPort: number) {
  let trouble: Trouble | undefined;
  let server: Server;
  const sockets = new Set<Socket>();

  const wire = (from: Socket) => {
    const to = connect(targetPort, "127.0.0.1").setNoDelay();
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .once("close", () => {
          sockets.delete(socket);
          from.destroy();
          to.destroy();
        });
    }
    to.on("data", (reply) => from.write(reply));
    from.on("data", (sent) => {
      if (trouble?.(sent, { client: from, server: to }) !== false) to.write(sent);
    });
  };

  // Outside the kernel's own range, from which a client's connection to a refusing port may take that very port.
  const port = await freePorts(1);

  const listen = async () => {
    server = createServer(wire);
    await once(server.listen(port, "127.0.0.1"), "listening");
  };

  await listen();
  /** Meets the wires that carry the text. */
  const meeting = (text: string, next: Trouble) => {
    let remaining = 1;
    trouble = (sent, sides) => !(sent.includes(text) && remaining-- > 0) || next(sent, sides);
  };
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    /** Refuses connections. */
    down: close,
    async up() {
      trouble = undefined;
      if (!server.listening) await listen();
    },
    /** Breaks the wire before the text reaches the server, once. */
    cut: (text: string) =>
      meeting(text, (_, { client }) => {
        client.destroy();
        return false;
      }),
    /** Breaks the wire at the first reply to the text, once. */
    loseReply: (text: string) =>
      meeting(text, (_, { client, server: side }) => {
        side.removeAllListeners("data").once("data", () => client.destroy());
        return true;
      }),
    /** Swallows what follows the text, and its reply. */
    swallow: (text: string) => meeting(text, () => false),
    close,
  };
}
