import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds without a byte in either direction before a request counts as lost. */
const IDLE_MS = 20_000;

const FIRST_DELAY_MS = Number(process.env.RETRY_BASE_MS ?? 250);
const LONGEST_DELAY_MS = 8_000;

/** Milliseconds. Servers close idle sockets, workerd after 15 s. A request on a closing one fails. */
const REUSED_WITHIN_MS = 3_000;
const agents = {
  "http:": new http.Agent({ keepAlive: true, timeout: REUSED_WITHIN_MS }),
  "https:": new https.Agent({ keepAlive: true, timeout: REUSED_WITHIN_MS }),
};

/** Headers of every request to the gateway. */
export const gatewayHeaders = ({
  ticket,
  traceparent,
}: {
  ticket: string;
  traceparent?: string | undefined;
}) => ({
  Authorization: `Bearer ${ticket}`,
  ...(traceparent !== undefined && { traceparent }),
});

interface Outgoing {
  method: "GET" | "PUT" | "POST";
  headers: Record<string, string>;
  body?: Uint8Array;
  signal: AbortSignal;
  idleMs?: number;
}

/** Returns the reply with its body unread. Read or `discard` it, or its socket is lost. Ignores redirects. */
export function send(url: string, outgoing: Outgoing): Promise<http.IncomingMessage> {
  const { method, headers, body, signal, idleMs = IDLE_MS } = outgoing;
  const secure = new URL(url).protocol === "https:";
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(
      url,
      {
        method,
        // Explicit length, because S3-like stores refuse chunked bodies.
        headers: body ? { ...headers, "Content-Length": String(body.length) } : headers,
        agent: agents[secure ? "https:" : "http:"],
        signal,
      },
      resolve,
    );
    request.setTimeout(idleMs, () => request.destroy(new Error(`no byte for ${idleMs} ms`)));
    request.on("error", reject);
    request.end(body);
  });
}

export async function discard(reply: http.IncomingMessage): Promise<void> {
  reply.resume();
  await new Promise((resolve) => reply.once("close", resolve));
}

/** Waits longer after each consecutive failure. Jitter keeps many jobs from retrying together. */
export const backOff = (failures: number, signal: AbortSignal): Promise<void> =>
  sleep(
    Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) * (0.75 + Math.random() / 2),
    undefined,
    {
      signal,
    },
  );

/** Worth a retry: the server is failing or busy, not refusing. */
export const isTransient = (status: number): boolean => status >= 500 || status === 408 || status === 429;
