import { ConnectionError } from "./errors.ts";
import { isJson } from "./json.ts";
import { refusalOf } from "./refusal.ts";
import { pause, type RetryOptions, waitBefore } from "./retry.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transport {
  fetch: Fetch;
  retries: RetryOptions;
  /** Milliseconds without a reply. Forms with files have no limit, and neither has the body of a file or stream. */
  timeoutMs: number;
}

export interface Outgoing {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: BodyInit | undefined;
  signal?: AbortSignal | undefined;
  /** Whether a retry is harmless. */
  repeatable: boolean;
}

/** Sends a request and retries temporary failures. Throws refusals. */
export async function send(transport: Transport, request: Outgoing): Promise<Response> {
  const { repeatable, signal } = request;
  for (let attempt = 1; ; attempt++) {
    const reply = await sendOnce(transport, request);
    const failed = reply instanceof ConnectionError;
    if (!failed && (reply.ok || reply.status === 304)) return reply;
    const wait = waitBefore(attempt, failed ? undefined : reply, repeatable, transport.retries);
    if (wait === undefined) throw failed ? reply : await refusalOf(reply);
    if (!failed) await reply.body?.cancel();
    await pause(wait, signal);
  }
}

/** Reads JSON to its end, so that a truncated reply counts as no reply. */
async function whole(reply: Response): Promise<Response> {
  if (!isJson(reply)) return reply;
  const { status, headers } = reply;
  return new Response(await reply.text(), { status, headers });
}

async function sendOnce(transport: Transport, request: Outgoing): Promise<Response | ConnectionError> {
  const { url, method, headers = {}, body, signal } = request;
  const late = new AbortController();
  const abort = () => late.abort(new DOMException("No reply came in time", "TimeoutError"));
  const timer = body instanceof FormData ? undefined : setTimeout(abort, transport.timeoutMs);
  const signals = [signal, late.signal].filter((each) => each !== undefined);
  const init = { method, headers, signal: AbortSignal.any(signals), ...(body !== undefined && { body }) };
  try {
    return await whole(await transport.fetch(url, init));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    return new ConnectionError(`${new URL(url).host} cannot be reached`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
