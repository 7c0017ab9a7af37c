import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Returns the refusal, or `undefined`. Locally the port is open to every program and, by DNS rebinding, to
 * web pages. In the container only the Worker reaches it, and no secret is set.
 */
export function checkAccess(
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

/** Compares in constant time. */
export const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected));
