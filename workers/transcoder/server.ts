import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { checkAccess } from "./access.ts";
import { parseJob } from "./contract.ts";
import type { Ffmpeg } from "./ffmpeg.ts";
import { MAX_IMAGE_BYTES, renderImages, wantedIn } from "./images.ts";
import type { Jobs } from "./jobs.ts";
import { log } from "./logging.ts";

/** Milliseconds. workerd keeps an idle connection for five seconds. Node would close it at about the same time. */
const KEEP_ALIVE_MS = 60_000;
const MAX_JOB_BYTES = 64 * 1024;

interface Answer {
  status: number;
  body: Record<string, unknown> | Buffer;
}

/** Every request must carry `secret` if it is set. */
export function createTranscoderServer(jobs: Jobs, ffmpeg: Ffmpeg, secret?: string): Server {
  async function answer(request: IncomingMessage): Promise<Answer> {
    const refused = checkAccess(request, secret);
    if (refused) return { status: refused.status, body: { error: refused.error } };
    const { method } = request;
    const [path, query] = (request.url ?? "").split("?", 2);
    if (path === "/healthz" && (method === "GET" || method === "HEAD"))
      return { status: 200, body: health() };
    if (path === "/jobs" && method === "POST") return takeJob(await readBody(request, MAX_JOB_BYTES));
    if (path === "/images" && method === "POST")
      return takeImage(new URLSearchParams(query), await readBody(request, MAX_IMAGE_BYTES));
    return { status: 404, body: { error: "not_found" } };
  }

  const health = () => ({
    ok: true,
    jobs: jobs.count(),
    slots: jobs.slots,
    idle_s: Math.floor(jobs.idleSeconds()),
    ffmpeg,
  });

  function takeJob(sent: Buffer | undefined): Answer {
    if (sent === undefined) return { status: 413, body: { error: "too_large" } };
    const body = parseJson(sent.toString("utf8"));
    if (body === undefined) return { status: 400, body: { error: "malformed" } };
    const job = parseJob(body);
    if ("wrong" in job) return { status: 422, body: { error: "invalid", fields: job.wrong } };
    const verdict = jobs.accept(job);
    if (verdict === "busy") return { status: 503, body: { error: "busy", slots: jobs.slots } };
    if (verdict === "superseded") return { status: 409, body: { error: "superseded" } };
    return { status: 202, body: { accepted: true, slots: jobs.slots } };
  }

  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    answer(request).then(
      (answered) => reply(response, answered),
      (error) => {
        log("request_failed", { detail: String(error) });
        reply(response, { status: 500, body: { error: "internal" } });
      },
    );
  });
}

/** Answers synchronously: an image takes a moment, unlike a job. */
async function takeImage(asked: URLSearchParams, original: Buffer | undefined): Promise<Answer> {
  const wanted = wantedIn(asked);
  if (!wanted) return { status: 400, body: { error: "malformed" } };
  if (!original)
    return {
      status: 422,
      body: { error: "refused", reason: `is larger than ${MAX_IMAGE_BYTES / 2 ** 20} MiB` },
    };
  const rendering = await renderImages(original, wanted, asked.get("owner") ?? "");
  if (rendering.outcome === "busy") return { status: 503, body: { error: "busy" } };
  if (rendering.outcome === "refused")
    return { status: 422, body: { error: "refused", reason: rendering.reason } };
  return { status: 200, body: rendering.images };
}

/** Resolves to `undefined` if the body is too long. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, { status, body }: Answer): void {
  const isBinary = Buffer.isBuffer(body);
  const bytes = isBinary ? body : Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    "Content-Type": isBinary ? "application/octet-stream" : "application/json",
    "Content-Length": bytes.length,
  });
  response.end(bytes);
}
