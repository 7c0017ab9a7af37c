import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isSame } from "../../transcoder/access.ts";

/** Milliseconds. workerd keeps an idle connection for five seconds. Node would close it at about the same time. */
const KEEP_ALIVE_MS = 60_000;

/** This machine, whatever name leads here. A foreign name that does is another site's (DNS rebinding). */
const OWN_NAMES = /^(?:([\w-]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

export const isAskedByOwnName = ({ headers }: IncomingMessage): boolean => OWN_NAMES.test(headers.host ?? "");

/** The address of an inner server. Whoever knows it may give orders, so it is a secret. */
export const innerUrl = (port: number, secret: string): string =>
  `http://127.0.0.1:${port}/${encodeURIComponent(secret)}`;

/**
 * A server for the Worker and the stack's own programs. Every account of this machine reaches its port, and so do pages in
 * browsers: who does not know the secret, the first segment of the path, is refused before anything is read.
 */
export function createInnerServer(secret: string, answer: RequestListener): Server {
  return createServer((request, response) => {
    const [, key = "", path = "/"] = /^\/([^/?]*)(.*)$/s.exec(request.url ?? "") ?? [];
    const status = !isAskedByOwnName(request) ? 421 : isSame(key, encodeURIComponent(secret)) ? 200 : 401;
    if (status !== 200) return void response.writeHead(status, { Connection: "close" }).end();
    request.url = path.startsWith("/") ? path : `/${path}`;
    return answer(request, response);
  });
}

/** Serves this machine alone. Resolves to the port. Rejects if another server has it. */
export async function listenForWorker(server: Server, port = 0): Promise<number> {
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}
