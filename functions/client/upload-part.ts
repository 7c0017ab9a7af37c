import { ConnectionError } from "./errors.ts";
import { refusalOf } from "./refusal.ts";
import { pause, RETRIES, waitBefore } from "./retry.ts";
import { putBlob } from "./upload-put.ts";
import type { PartUrls } from "./upload-urls.ts";

/** Attempts for a part, over half a minute. */
const ATTEMPTS = 8;

interface Part {
  number: number;
  blob: Blob;
  urls: PartUrls;
  signal: AbortSignal;
}

/** Uploads a part with retries, and returns its ETag. */
export async function putPart(part: Part, onBytes: (sent: number) => void): Promise<string> {
  const { number, blob, urls, signal } = part;
  for (let attempt = 1; ; attempt++) {
    const put = { url: await urls.of(number), blob, signal, onBytes };
    const reply = await putBlob(urls.client.fetch, put).catch((error: unknown) => {
      if (signal.aborted) throw signal.reason;
      return new ConnectionError("Storage cannot be reached", { cause: error });
    });
    const failed = reply instanceof ConnectionError;
    const etag = failed ? null : reply.headers.get("ETag");
    if (!failed && reply.ok && etag) return etag;
    onBytes(0);
    // An expired URL is refused and requested again.
    const expired = !failed && reply.status === 403 && attempt === 1;
    const asked = waitBefore(attempt, failed ? undefined : reply, true, { ...RETRIES, attempts: ATTEMPTS });
    const wait = expired ? 0 : asked;
    if (wait === undefined) throw failed ? reply : await refusalOf(reply);
    urls.forget(number);
    await pause(wait, signal);
  }
}
