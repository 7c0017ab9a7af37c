/** Milliseconds for one request, including its reply. */
const TIMEOUT_MS = 5_000;

/** Bytes. A token or a page of profiles takes a hundredth. */
const MAX_REPLY_BYTES = 256 * 1024;

/** Other headers describe the body before it was decompressed. */
const COPIED_HEADERS = ["content-type", "www-authenticate"];

/** Calls a foreign service with limits on time and size, and follows no redirects. */
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
    headers: [...reply.headers].filter(([name]) => COPIED_HEADERS.includes(name)),
  });
}
