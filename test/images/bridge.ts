import { connect, createServer, type Socket } from "node:net";

/**
 * Runs inside the container's network, which leads nowhere. Offers the gateway's port there and the
 * transcoder's outside it, each over a socket in the file system.
 */
const [gatewayPort = "", gatewaySocket = "", transcoderSocket = ""] = process.argv.slice(2);

const TRANSCODER_PORT = 8080;

function carry(from: Socket, to: Socket): void {
  from.pipe(to).pipe(from);
  from.on("error", () => to.destroy());
  to.on("error", () => from.destroy());
}

createServer((from) => carry(from, connect(gatewaySocket))).listen(Number(gatewayPort), "127.0.0.1", () =>
  createServer((from) => carry(from, connect(TRANSCODER_PORT, "127.0.0.1"))).listen(transcoderSocket, () =>
    console.log("ready"),
  ),
);
