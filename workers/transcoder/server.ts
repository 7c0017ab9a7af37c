import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { parseJob } from "./contract.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import type { Jobs } from "./jobs.ts";
import { log } from "./logging.ts";

const MAX_BODY_BYTES = 64 * 1024;

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export function createTranscoderServer(jobs: Jobs, ffmpeg: Ffmpeg): Server {
  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method } = request;
    const path = (request.url ?? "").replace(/\?.*/, "");
    if (path === "/healthz" && (method === "GET" || method === "HEAD"))
      return { status: 200, body: { ok: true, jobs: jobs.count(), ffmpeg } };
    if (path === "/jobs" && method === "POST") return takeJob(await readBody(request));
    return { status: 404, body: { error: "not_found" } };
  }

  function takeJob(text: string | undefined): Answer {
    if (text === undefined) return { status: 413, body: { error: "too_large" } };
    const body = parseJson(text);
    if (body === undefined) return { status: 400, body: { error: "malformed" } };
    const job = parseJob(body);
    if ("wrong" in job) return { status: 422, body: { error: "invalid", fields: job.wrong } };
    const verdict = jobs.accept(job);
    if (verdict === "busy") return { status: 503, body: { error: "busy" } };
    if (verdict === "superseded") return { status: 409, body: { error: "superseded" } };
    return { status: 202, body: { accepted: true } };
  }

  return createServer((request, response) => {
    answer(request).then(
      (answered) => reply(response, answered),
      (error) => {
        log("request_failed", { detail: String(error) });
        reply(response, { status: 500, body: { error: "internal" } });
      },
    );
  });
}

/** Undefined when it is longer than any job. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, { status, body }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
