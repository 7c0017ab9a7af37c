import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { newClient } from "../../db/connection.ts";

const message = (type: string, body: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + length.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, "latin1")]);
};

/** PostgreSQL's protocol, chapter 54.7: who signs in is ready, and then the server is gone. */
const WELCOME = Buffer.concat([message("R", "\0\0\0\0"), message("Z", "I")]);
const FAREWELL = message(
  "E",
  "SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0",
);

test("a server that dies between two statements fails the next one, and does not end the process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.write(WELCOME));
  }).listen(0, "127.0.0.1");
  const accepted = once(server, "connection") as Promise<[Socket]>;
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const client = newClient({
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    user: "owner",
    password: "x",
    ssl: false,
  });
  await client.connect();
  const [socket] = await accepted;
  socket.end(FAREWELL);
  await new Promise<void>((resolve) => client.once("end", resolve));
  await expect(client.query("select 1")).rejects.toThrow();
  await client.end().catch(() => {});
});
