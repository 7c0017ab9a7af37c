/** Milliseconds for one request, its reply included. */
const TIMEOUT_MS = 5_000;

/** Bytes. A token or a page of profiles takes a hundredth. */
const MAX_REPLY_BYTES = 256 * 1024;

/** The others speak of a body as it came, compressed perhaps. */
const KEPT_HEADERS = ["content-type", "www-authenticate"];

/** Of a service that is not ours: never on to where it points, no longer and no more than a reply of its kind takes. */
export async function limitedFetch(url: string, init: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const reply = await fetch(url, { ...init, redirect: "manual", signal });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reply.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_REPLY_BYTES) throw new RangeError("the reply is too long");
    chunks.push(chunk);
  }
  return new Response(size ? Buffer.concat(chunks) : null, {
    status: reply.status,
    headers: [...reply.headers].filter(([name]) => KEPT_HEADERS.includes(name)),
  });
}
