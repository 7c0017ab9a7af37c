import { JobFailure, LeaseLost } from "./failures.ts";
import { backOff, discard, gatewayHeaders, isTransient, send } from "./http-client.ts";

/** Bytes per request. A single long reply would stall behind the encoders and be cut as idle. */
const WINDOW_BYTES = 32 * 1024 * 1024;

/** Consecutive failures without a byte until the source counts as lost: about 16 s. */
const MAX_FAILURES = 8;

export interface RemoteFile {
  url: string;
  sizeBytes: number;
  ticket: string;
  signal: AbortSignal;
}

/**
 * Yields the bytes [from, to) and resumes after interruptions. Throws a `JobFailure` if the file is lost,
 * `LeaseLost` if the lease is.
 */
export async function* readRange(file: RemoteFile, from: number, to: number): AsyncGenerator<Buffer> {
  let position = from;
  let failures = 0;
  while (position < to) {
    const end = Math.min(to, position + WINDOW_BYTES);
    let trouble = "the reply ends early";
    try {
      for await (const chunk of readWindow(file, position, end)) {
        position += chunk.length;
        failures = 0;
        yield chunk;
      }
    } catch (error) {
      file.signal.throwIfAborted();
      if (error instanceof JobFailure || error instanceof LeaseLost) throw error;
      trouble = String(error);
    }
    if (position === end) continue;
    failures++;
    if (failures === MAX_FAILURES) throw lost(position, trouble);
    if (failures > 1) await backOff(failures - 1, file.signal);
  }
}

const lost = (position: number, detail: string): JobFailure =>
  new JobFailure(
    position > 0 ? "source_interrupted" : "source_unavailable",
    `at byte ${position}: ${detail}`,
  );

async function* readWindow(file: RemoteFile, from: number, to: number): AsyncGenerator<Buffer> {
  const reply = await send(file.url, {
    method: "GET",
    headers: { ...gatewayHeaders(file), Range: `bytes=${from}-${to - 1}` },
    signal: file.signal,
  });
  const status = reply.statusCode ?? 0;
  if (status !== 206 && status !== 200) {
    await discard(reply);
    if (status === 409 || status === 410) throw new LeaseLost(`the source was answered ${status}`);
    if (isTransient(status)) throw new Error(`source answers ${status}`);
    if (status === 404) throw new JobFailure("source_missing", `at byte ${from}: source answers 404`);
    throw lost(from, `source answers ${status}`);
  }
  // Servers without ranges send everything: skip to our position and stop at the window's end.
  let at = status === 206 ? from : 0;
  for await (const chunk of reply as AsyncIterable<Buffer>) {
    const wanted = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += chunk.length;
    if (wanted.length > 0) yield wanted;
    if (at >= to && status === 200) return;
  }
}
