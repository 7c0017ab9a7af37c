import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { addressesOf } from "../../../functions/api/webhooks/resolved-target.ts";
import { isPublicAddress, targetProblem } from "../../../functions/api/webhooks/target.ts";
import type { Env } from "../../../functions/lib/http/env.ts";
import { isSame } from "../../transcoder/access.ts";
import { listenForWorker } from "../worker/loopback.ts";

/** Milliseconds without a byte. The Worker gives up earlier. */
const IDLE_MS = 20_000;

/** Headers of the connection that ends here, and the host, which the URL names. */
const OF_CONNECTION = new Set([
  "connection",
  "host",
  "keep-alive",
  "transfer-encoding",
  "proxy-authorization",
  "proxy-connection",
]);

/** Headers that the Worker reads of a file's reply. */
const OF_FILES = [
  "content-type",
  "content-length",
  "content-encoding",
  "content-range",
  "etag",
  "last-modified",
];
const OF_REDIRECTS = ["location", "retry-after"];

const readable = ({ headers }: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(
    [...OF_FILES, ...OF_REDIRECTS].flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
  );

type Options = Pick<Env, "DNS_URL"> & {
  /** The Worker authorizes itself with it: other accounts of this machine reach the port too. */
  secret: string;
  /** Default: only public addresses. */
  isAllowed?: (address: string) => boolean;
  /** Certificates to trust instead of the usual ones. */
  ca?: string;
};

/**
 * A proxy that carries webhooks, and requests for feeds and their files, from this machine, whose own network reaches private
 * addresses too. It looks a name up, checks the answer and connects to that very address, so a name cannot change between check and call.
 */
export async function startPublicNetwork({ DNS_URL, secret, isAllowed = isPublicAddress, ca }: Options) {
  const lookup: LookupFunction = async (name, { all }, callback) => {
    const found = await addressesOf({ DNS_URL }, name);
    const [first = ""] = found;
    if (!first || !found.every(isAllowed)) callback(new Error("not a public address"), first);
    else if (all)
      callback(
        null,
        found.map((address) => ({ address, family: isIP(address) })),
      );
    else callback(null, first, isIP(first));
  };

  /** A connection that ends without a reply is a failed `fetch` to the Worker. */
  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url = "" } = incoming;
    if (!isSame(incoming.headers["proxy-authorization"] ?? "", `Bearer ${secret}`))
      return void incoming.destroy();
    // Feeds and their files are read, over either protocol. Webhooks are sent over TLS.
    const isRead = method === "GET";
    if (targetProblem(url, { anywhere: false, plainHttp: isRead })) return void incoming.destroy();
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !OF_CONNECTION.has(name)),
    );
    const request = url.startsWith("https:") ? httpsRequest : httpRequest;
    const outgoing = request(url, { method, headers, lookup, ca, agent: false, timeout: IDLE_MS });
    outgoing.on("response", (reply) => {
      if (isRead) {
        response.writeHead(reply.statusCode ?? 502, readable(reply));
        return void reply.on("error", () => response.destroy()).pipe(response);
      }
      // The Worker reads nothing else, and a body may be endless.
      const retryAfter = reply.headers["retry-after"];
      response.writeHead(reply.statusCode ?? 502, retryAfter ? { "Retry-After": retryAfter } : {}).end();
      outgoing.destroy();
    });
    outgoing.on("timeout", () => outgoing.destroy()).on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  // The request line names the host.
  const server = createServer({ requireHostHeader: false }, forward);
  const port = await listenForWorker(server);
  return {
    port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
