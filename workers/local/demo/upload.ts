import { once } from "node:events";
import { createReadStream } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline } from "node:stream/promises";

/** Uploads parts straight to storage, several at a time, like any client of the API. */

const PARALLEL_PARTS = 4;
const TRIES = 4;

/** Bytes per read of the file. */
const READ_BYTES = 1024 * 1024;

export interface UploadSession {
  id: number;
  part_size: number;
  part_count: number;
}

export type ApiCall = <Reply>(method: string, path: string, body?: unknown) => Promise<Reply>;

/** Calls the API. Throws if it refuses, with its reason. */
export function apiClient(apiUrl: string, accessToken: string): ApiCall {
  return async (method, path, body) => {
    const reply = await fetch(apiUrl + path, {
      method,
      headers: {
        Authorization: `OAuth ${accessToken}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text);
  };
}

/** `onSent` receives the number of bytes stored so far. */
export async function uploadParts(
  call: ApiCall,
  session: UploadSession,
  file: LocalFile,
  onSent: (bytes: number) => void = () => {},
): Promise<void> {
  const waiting = Array.from({ length: session.part_count }, (_, index) => index + 1);
  const parts: { number: number; etag: string }[] = [];
  let sent = 0;
  const worker = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const start = (number - 1) * session.part_size;
      const size = Math.min(session.part_size, file.size - start);
      parts.push({ number, etag: await putPart(call, session.id, number, { path: file.path, start, size }) });
      sent += size;
      onSent(sent);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_PARTS }, worker));
  await call("POST", `/uploads/${session.id}/complete`, { parts });
}

interface LocalFile {
  path: string;
  /** Bytes. */
  size: number;
}

interface PartOfFile extends LocalFile {
  start: number;
}

/** Requests each part's URL just before use, so that none expires during a long upload. */
async function putPart(call: ApiCall, uploadId: number, number: number, part: PartOfFile): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const path = `/uploads/${uploadId}/parts`;
      const { urls } = await call<{ urls: Record<string, string> }>("POST", path, { numbers: [number] });
      return await put(urls[number] ?? "", part);
    } catch (error) {
      if (attempt === TRIES) throw error;
      await new Promise((wake) => setTimeout(wake, 250 * 2 ** attempt));
    }
  }
}

/** Returns the ETag. `fetch` would need several times the CPU, or omit the length. */
async function put(url: string, { path, start, size }: PartOfFile): Promise<string> {
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  const request = send(url, { method: "PUT", headers: { "Content-Length": size } });
  const reply = once(request, "response") as Promise<[IncomingMessage]>;
  const sending = pipeline(
    createReadStream(path, { start, end: start + size - 1, highWaterMark: READ_BYTES }),
    request,
  );
  // Storage that refuses early breaks the connection. Its reply holds the reason.
  const [response] = await Promise.race([reply, sending.then(() => reply)]);
  response.resume();
  const { statusCode, headers } = response;
  if (statusCode === 200 && headers.etag) {
    await sending;
    return headers.etag;
  }
  sending.catch(() => {});
  throw new Error(`Storage answered ${statusCode}`);
}
