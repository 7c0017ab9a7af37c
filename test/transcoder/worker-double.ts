import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Failed, Finished, Heartbeat } from "../../workers/transcoder/contract.ts";

export type Verdict = { outcome: "finished"; body: Finished } | { outcome: "failed"; body: Failed };

/** Each may spoil an exchange; returning true means that it has answered (or hung up) itself. */
export interface Faults {
  source?(response: ServerResponse, range: { from: number; to: number }, file: Uint8Array): boolean;
  output?(response: ServerResponse, name: string): boolean;
  heartbeatStatus?(beats: number): number;
  verdictStatus?(reports: number): number;
}

export interface WorkerDouble {
  job: Record<string, unknown>;
  outputs: Map<string, Buffer>;
  /** Names in the order in which they were stored. */
  stored: string[];
  beats: Heartbeat[];
  /** What a real Worker would have refused: a missing ticket, a chunked body. */
  complaints: string[];
  verdict: Promise<Verdict>;
  verdicts: Verdict[];
  close(): void;
}

const TICKET = "ticket-of-this-attempt";
let jobsMade = 0;

/** The Worker as the transcoder knows it: a source with ranges, a place for outputs, ears for reports. */
export async function startWorkerDouble(file: Uint8Array, faults: Faults = {}): Promise<WorkerDouble> {
  const outputs = new Map<string, Buffer>();
  const stored: string[] = [];
  const beats: Heartbeat[] = [];
  const complaints: string[] = [];
  const verdicts: Verdict[] = [];
  const first = Promise.withResolvers<Verdict>();
  let reports = 0;

  function sendSource(request: IncomingMessage, response: ServerResponse): void {
    const [, a, b] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const range = { from: Number(a), to: Math.min(Number(b) + 1, file.length) };
    if (a === undefined) complaints.push("source without range");
    if (faults.source?.(response, range, file)) return;
    response.writeHead(206, {
      "Content-Length": range.to - range.from,
      "Content-Range": `bytes ${range.from}-${range.to - 1}/${file.length}`,
    });
    response.end(file.subarray(range.from, range.to));
  }

  async function take(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
    const body = await read(request);
    if (faults.output?.(response, name)) return;
    if (Number(request.headers["content-length"]) !== body.length)
      complaints.push(`${name}: no Content-Length`);
    if (!request.headers["content-type"]) complaints.push(`${name}: no Content-Type`);
    outputs.set(name, body);
    stored.push(name);
    response.writeHead(200).end();
  }

  async function hear(request: IncomingMessage, response: ServerResponse, kind: string): Promise<void> {
    const body = JSON.parse((await read(request)).toString());
    if (kind === "heartbeat") {
      beats.push(body);
      response.writeHead(faults.heartbeatStatus?.(beats.length) ?? 200).end();
      return;
    }
    const status = faults.verdictStatus?.(++reports) ?? 200;
    response.writeHead(status).end();
    if (status !== 200) return;
    const verdict = { outcome: kind, body } as Verdict;
    verdicts.push(verdict);
    first.resolve(verdict);
  }

  const server = createServer((request, response) => {
    const path = request.url ?? "";
    if (request.headers.authorization !== `Bearer ${TICKET}`) complaints.push(`${path}: no ticket`);
    if (path === "/source") return sendSource(request, response);
    if (path.startsWith("/outputs/")) return void take(request, response, path.slice("/outputs/".length));
    if (path.startsWith("/report/")) return void hear(request, response, path.slice("/report/".length));
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return {
    job: {
      job: `job-${process.pid}-${++jobsMade}`,
      attempt: 1,
      source_url: `${base}/source`,
      source_bytes: file.length,
      outputs_url: `${base}/outputs`,
      report_url: `${base}/report`,
      ticket: TICKET,
    },
    outputs,
    stored,
    beats,
    complaints,
    verdict: first.promise,
    verdicts,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
