import type { Context } from "hono";
import type { AppEnv, Env } from "../env.ts";
import { describeError, logLine } from "../log.ts";

/**
 * Files in the cache of the current data centre. Keys hold no token, listener or expiry, so that all listeners share a
 * copy. Callers check access first.
 */

/** On the Worker's own host, as the platform requires. No route leads there. */
const addressOf = (env: Env, name: string): string => `${env.API_URL}/media/cached/${name}`;

/** Returns the cached reply with its body unread. A failing cache counts as a miss. */
export async function findCached(
  c: Context<AppEnv>,
  name: string,
): Promise<{ size: number; reply: Response } | undefined> {
  try {
    const reply = await caches.default.match(addressOf(c.env, name));
    const size = Number(reply?.headers.get("Content-Length"));
    return reply?.body && size ? { size, reply } : undefined;
  } catch (error) {
    complain(error);
    return undefined;
  }
}

/** Caches a file after the reply, for at most `cachedForS` seconds. */
export function cacheFile(
  c: Context<AppEnv>,
  name: string,
  bytes: Uint8Array,
  cachedForS: number,
): Promise<void> {
  const putting = put(addressOf(c.env, name), bytes, cachedForS).catch(complain);
  c.executionCtx.waitUntil(putting);
  return putting;
}

const put = async (address: string, bytes: Uint8Array, cachedForS: number): Promise<void> =>
  caches.default.put(
    address,
    new Response(bytes, {
      headers: {
        "Cache-Control": `public, max-age=${cachedForS}, no-transform`,
        "Content-Length": String(bytes.byteLength),
        // A type that no network compresses.
        "Content-Type": "application/octet-stream",
      },
    }),
  );

/** Drops a file from the cache of this data centre, after the reply. */
export const dropCached = (c: Context<AppEnv>, name: string): void =>
  c.executionCtx.waitUntil(caches.default.delete(addressOf(c.env, name)).catch(complain));

let complained = false;

/** Logs once an isolate, because each request would fail alike. */
function complain(error: unknown): void {
  if (complained) return;
  complained = true;
  logLine("warn", "cache_failed", describeError(error));
}
