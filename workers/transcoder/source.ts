import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import type { Span } from "./boxes.ts";
import { type RemoteFile, readRange } from "./source-reader.ts";

/** Replaces bytes at an offset. */
export interface Correction {
  at: number;
  bytes: Uint8Array;
}

export interface Source {
  /** A loopback URL, the only address that ffmpeg sees. */
  url: string;
  sizeBytes: number;
  readAt(offset: number, length: number): Promise<Buffer>;
  /** Leaves out all but the file's bytes [from, to) from now on, as ffmpeg sees it. Offsets of corrections count in this part. */
  show(part: Span, corrections: Correction[]): void;
  /** 0 to 1. Capped, because seeks read some bytes twice. */
  progress(): number;
  close(): void;
}

interface Watch {
  fail(error: unknown): void;
  moved(): void;
}

interface Seen {
  sizeBytes(): number;
  /** Yields the bytes [from, to). */
  read(from: number, to: number): AsyncGenerator<Buffer>;
}

/**
 * Serves the source to ffmpeg, which ignores broken sources and follows redirects and playlists. This end
 * owns ticket, range and retry, and calls `fail` before ffmpeg notices a loss.
 */
export async function openSource(file: RemoteFile, watch: Watch): Promise<Source> {
  const { sizeBytes } = file;
  const { readForFfmpeg, correct, ...reader } = createReader(file, watch);
  let shown: Span = { from: 0, to: sizeBytes };

  /** The file as ffmpeg sees it. */
  const seen: Seen = {
    sizeBytes: () => shown.to - shown.from,
    read: (from, to) => readForFfmpeg(shown.from + from, shown.from + to),
  };

  return {
    ...reader,
    ...(await listenOnLoopback(seen, watch)),
    sizeBytes,
    show(part, corrections) {
      shown = part;
      correct(corrections.map(({ at, bytes }) => ({ at: part.from + at, bytes })));
    },
  };
}

/** Reads as the file is, and for ffmpeg with the corrections. */
function createReader(file: RemoteFile, watch: Watch) {
  let bytesServed = 0;
  let corrections: Correction[] = [];

  async function* read(from: number, to: number): AsyncGenerator<Buffer> {
    for await (const chunk of readRange(file, from, to)) {
      watch.moved();
      yield chunk;
    }
  }

  return {
    async *readForFfmpeg(from: number, to: number): AsyncGenerator<Buffer> {
      let at = from;
      for await (const chunk of read(from, to)) {
        bytesServed += chunk.length;
        const offset = at;
        yield corrections.reduce((corrected, one) => applyCorrection(corrected, offset, one), chunk);
        at += chunk.length;
      }
    },
    async readAt(offset: number, length: number): Promise<Buffer> {
      const chunks: Buffer[] = [];
      for await (const chunk of read(offset, offset + length)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    correct(some: Correction[]): void {
      corrections = some;
    },
    progress: () => Math.min(1, bytesServed / file.sizeBytes),
  };
}

async function listenOnLoopback(seen: Seen, watch: Watch): Promise<Pick<Source, "url" | "close">> {
  // Random, so that other users of the machine cannot read a private track.
  const path = `/${randomBytes(16).toString("hex")}`;
  const server = createServer((request, response) => {
    if (request.url !== path) response.writeHead(404).end();
    else
      answerRange(request, response, seen).catch((error) => {
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
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answerRange(request: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
  const sizeBytes = seen.sizeBytes();
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "bytes=0-") ?? [];
  const from = Number(first);
  const to = last ? Math.min(Number(last) + 1, sizeBytes) : sizeBytes;
  // The end itself is a valid offset: old builds seek there and, if refused, continue from the wrong place.
  if (!(from <= to)) {
    response.writeHead(416, { "Content-Range": `bytes */${sizeBytes}` }).end();
    return;
  }
  response.writeHead(206, {
    "Accept-Ranges": "bytes",
    "Content-Length": String(to - from),
    "Content-Range": `bytes ${from}-${to - 1}/${sizeBytes}`,
  });
  await writeAll(seen.read(from, to), response);
}

/** ffmpeg disconnects whenever it seeks. `pipeline` would report that as a lost source. */
async function writeAll(chunks: AsyncIterable<Buffer>, sink: Writable): Promise<void> {
  for await (const chunk of chunks) {
    if (sink.destroyed) return;
    if (!sink.write(chunk)) await roomIn(sink);
  }
  sink.end();
}

const roomIn = (sink: Writable): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      sink.off("drain", go).off("close", go);
      resolve();
    };
    if (sink.destroyed) return resolve();
    sink.on("drain", go).on("close", go);
  });

/** Applies the part of the correction that overlaps the chunk at `offset`. */
function applyCorrection(chunk: Buffer, offset: number, { at, bytes }: Correction): Buffer {
  const [from, to] = [Math.max(at, offset), Math.min(at + bytes.length, offset + chunk.length)];
  if (from >= to) return chunk;
  const copy = Buffer.from(chunk);
  copy.set(bytes.subarray(from - at, to - at), from - offset);
  return copy;
}
