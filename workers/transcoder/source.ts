import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type RemoteFile, readRange } from "./source-reader.ts";

export interface Source {
  /** On the loopback, the only address ffmpeg ever sees. */
  url: string;
  sizeBytes: number;
  readAt(offset: number, length: number): Promise<Buffer>;
  /** 0 to 1. Seeks read some bytes twice, hence the cap. */
  progress(): number;
  close(): void;
}

/**
 * ffmpeg exits 0 when its HTTP source dies half-way, and would follow redirects and playlists. So it reads from here,
 * while this end owns ticket, range, retry and resume, and calls `fail` before ffmpeg can notice a loss.
 */
export async function openSource(
  file: RemoteFile,
  watch: { fail(error: unknown): void; moved(): void },
): Promise<Source> {
  // Other users of the machine must not read a private track from our loopback.
  const path = `/${randomBytes(16).toString("hex")}`;
  let bytesServed = 0;

  async function* read(from: number, to: number): AsyncGenerator<Buffer> {
    for await (const chunk of readRange(file, from, to)) {
      watch.moved();
      yield chunk;
    }
  }

  async function* serve(from: number, to: number): AsyncGenerator<Buffer> {
    for await (const chunk of read(from, to)) {
      bytesServed += chunk.length;
      yield chunk;
    }
  }

  const server = createServer((request, response) => {
    if (request.url !== path) response.writeHead(404).end();
    else
      answerRange(request, response, file.sizeBytes, serve).catch((error) => {
        watch.fail(error);
        response.destroy();
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the source proxy has no port");

  return {
    url: `http://127.0.0.1:${address.port}${path}`,
    sizeBytes: file.sizeBytes,
    async readAt(offset, length) {
      const chunks: Buffer[] = [];
      for await (const chunk of read(offset, offset + length)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    progress: () => Math.min(1, bytesServed / file.sizeBytes),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answerRange(
  request: IncomingMessage,
  response: ServerResponse,
  sizeBytes: number,
  serve: (from: number, to: number) => AsyncGenerator<Buffer>,
): Promise<void> {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "bytes=0-") ?? [];
  const from = Number(first);
  const to = last ? Math.min(Number(last) + 1, sizeBytes) : sizeBytes;
  // The very end counts as a place: old builds seek there and, refused, would read on from where they were.
  if (!(from <= to)) {
    response.writeHead(416, { "Content-Range": `bytes */${sizeBytes}` }).end();
    return;
  }
  response.writeHead(206, {
    "Accept-Ranges": "bytes",
    "Content-Length": String(to - from),
    "Content-Range": `bytes ${from}-${to - 1}/${sizeBytes}`,
  });
  for await (const chunk of serve(from, to)) {
    if (!response.write(chunk)) await roomIn(response);
    // ffmpeg hangs up whenever it seeks. Not `pipeline`: its way of saying so would look like a lost source.
    if (response.destroyed) return;
  }
  response.end();
}

const roomIn = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    if (response.destroyed) return resolve();
    response.on("drain", go).on("close", go);
  });
