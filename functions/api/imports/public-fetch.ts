import type { Env } from "../../lib/http/env.ts";
import { retryAfterS } from "../../lib/http/retry-after.ts";
import { checkTarget } from "../webhooks/resolved-target.ts";

const MAX_REDIRECTS = 5;

/** A failed request to another server. `status` is that of its reply, if there was one. */
export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly reason: string;
  readonly status: number | undefined;
  /** Seconds that the server asks for. */
  readonly restS: number | undefined;

  constructor(reason: string, { status, restS }: { status?: number; restS?: number | undefined } = {}) {
    super(status === undefined ? reason : `${reason} ${status}`);
    this.reason = reason;
    this.status = status;
    this.restS = restS;
  }
}

interface Asked {
  headers?: Record<string, string>;
  signal: AbortSignal;
}

type Settings = Pick<Env, "WEBHOOK_TARGETS" | "DNS_URL" | "PUBLIC_NETWORK" | "WEB_URL" | "SITE_NAME">;

/**
 * Gets a URL of another server, over http or https. Each redirect is checked like the first URL, so none leads into a
 * private network. Returns a reply of any status that is no redirect.
 */
export async function fetchPublic(
  env: Settings,
  address: string,
  { headers, signal }: Asked,
): Promise<Response> {
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const refused = await checkTarget(env, url, signal, { plainHttp: true });
    if (refused) throw new FetchFailure(refused);
    const reply = await get(env, url, { headers: { "User-Agent": agentOf(env), ...headers }, signal });
    if (![301, 302, 303, 307, 308].includes(reply.status)) return reply;
    await reply.body?.cancel();
    const next = URL.parse(reply.headers.get("Location") ?? "", url);
    if (!next) throw new FetchFailure("bad_redirect");
    // Only browsers use fragments.
    next.hash = "";
    url = next.href;
  }
  throw new FetchFailure("bad_redirect");
}

/** Tells other servers who asks, and where to complain. */
const agentOf = ({ WEB_URL, SITE_NAME = "Soundpost" }: Settings): string =>
  `Soundpost-Imports/1 (${SITE_NAME.replace(/[^\x20-\x7e]|[()\\]/g, "")}; +${WEB_URL})`;

async function get(
  env: Settings,
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) {
  try {
    return (await (env.PUBLIC_NETWORK ?? globalThis).fetch(url, { redirect: "manual", ...init })) as Response;
  } catch (error) {
    throw failureOf(error);
  }
}

/** Maps an error of a connection, even one while the body is read. */
export function failureOf(error: unknown): FetchFailure {
  if (error instanceof FetchFailure) return error;
  const name = error instanceof Error ? error.name : "";
  return new FetchFailure(name === "TimeoutError" || name === "AbortError" ? "timeout" : "unreachable");
}

/** Throws unless the reply is one of `expected`. Frees its connection. */
export async function requireStatus(reply: Response, ...expected: number[]): Promise<void> {
  if (expected.includes(reply.status)) return;
  await reply.body?.cancel();
  throw new FetchFailure("status", {
    status: reply.status,
    restS: retryAfterS(reply.headers.get("Retry-After")),
  });
}

/** Reads a body of at most `most` bytes, counted after decompression, so that a bomb ends early. */
export async function readLimited(reply: Response, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of reply.body ?? []) {
      size += chunk.byteLength;
      if (size > most) throw new FetchFailure("too_large");
      chunks.push(chunk);
    }
  } catch (error) {
    throw failureOf(error);
  }
  return Buffer.concat(chunks);
}
