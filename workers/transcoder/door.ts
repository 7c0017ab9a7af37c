import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Why a request is not let in, or `undefined`. On a machine of one's own the port is open to every program, and a name that
 * leads there opens it to every web page. In its container nobody but the Worker reaches it, and no secret is set.
 */
export function refusedAtDoor(
  { headers, socket }: IncomingMessage,
  secret: string | undefined,
): { status: number; error: string } | undefined {
  if (secret === undefined) return undefined;
  const hosts = ["127.0.0.1", "localhost"].map((name) => `${name}:${socket.localPort}`);
  if (!hosts.includes(headers.host ?? "")) return { status: 421, error: "unknown_host" };
  return isSame(headers.authorization ?? "", `Bearer ${secret}`)
    ? undefined
    : { status: 401, error: "unauthorized" };
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** In a time that tells nothing of how much of it is right. */
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected));
