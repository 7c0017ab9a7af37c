import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { type Answer, type WorkerDouble, workerAnswer } from "./cloudflare-worker-double.ts";

const CHANGES = new Set(["POST", "PUT"]);

/** Cloudflare knows the tokens of users and of accounts by different addresses. */
interface TokenDouble {
  of: "user" | "account";
  status: "active" | "disabled" | "unknown";
}

function verified({ of, status }: TokenDouble, path: string): Answer {
  const isKnown = status !== "unknown" && path.startsWith("/user/") === (of === "user");
  return isKnown ? { result: { id: "token-id", status } } : { code: 1000, message: "Invalid API Token" };
}

interface Change {
  path: string;
  body: Record<string, unknown>;
}

/** The part of Cloudflare's API that a deploy needs. It refuses as the real one does. */
export async function cloudflareDouble() {
  const buckets = new Set<string>();
  const queues = new Set<string>();
  const worker: WorkerDouble = { versions: [], hosts: [], crons: [], consumers: [], containers: [] };
  const rights = {
    /** Whether the caller's token may make tokens. */
    tokens: true,
    /** No request for tokens gets a reply, as when the line goes dead. */
    silent: false,
    /** The state of the caller's token, and its owner. */
    token: { of: "user", status: "active" } as TokenDouble,
  };
  const changes: Change[] = [];
  /** Paths that were asked for, in order. */
  const asked: string[] = [];

  function answer(method: string, path: string, name: string, body: Record<string, unknown>): Answer {
    const isNew = method === "POST";
    if (path === "/r2/buckets" && isNew)
      return made(
        buckets,
        name,
        10_004,
        "The bucket you tried to create already exists, and you own it.",
        {},
      );
    if (path === "/queues" && isNew)
      return made(queues, name, 11_009, `Queue name '${name}' is already taken.`, queue(name));
    if (path === "/queues") return { result: queues.has(name) ? [queue(name)] : [] };
    const [, bucket] = /^\/r2\/buckets\/([^/]+)/.exec(path) ?? [];
    if (bucket && !buckets.has(bucket))
      return { code: 10_006, message: "The specified bucket does not exist." };
    if (bucket) return { result: { rules: [] } };
    if (path === "/tokens/permission_groups") return { result: PERMISSIONS };
    if (path === "/tokens") return { result: { id: "token-id", value: "token-value" } };
    return workerAnswer(worker, { method, path, body }) ?? { result: {} };
  }

  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const { pathname, searchParams } = new URL(url, "http://double");
    const path = pathname.replace(/^\/accounts\/[^/]+/, "");
    const body = await bodyOf(request);
    asked.push(pathname);
    if (pathname.endsWith("/tokens/verify")) return send(response, verified(rights.token, pathname));
    if (path.startsWith("/tokens")) {
      if (rights.silent) return;
      if (!rights.tokens)
        return send(response, { code: 9109, message: "Unauthorized to access requested resource" });
    }
    const name = String(searchParams.get("name") ?? body.queue_name ?? body.name);
    const answered = answer(method, path, name, body);
    if (CHANGES.has(method) && "result" in answered) changes.push({ path, body });
    send(response, answered);
  });
  // A busy process would close a connection just when wrangler uses it again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    worker,
    rights,
    changes,
    asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Parses JSON, whatever its type says, and forms whose parts are JSON. */
async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await buffer(request);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return JSON.parse(String(bytes) || "{}");
  const form = await new Response(new Uint8Array(bytes), { headers: { "Content-Type": type } }).formData();
  return { metadata: JSON.parse(String(form.get("metadata"))) };
}

function made(there: Set<string>, name: string, code: number, message: string, result: object): Answer {
  if (there.has(name)) return { code, message };
  there.add(name);
  return { result };
}

const PERMISSIONS = [
  { id: "read-id", name: "Workers R2 Storage Bucket Item Read" },
  { id: "write-id", name: "Workers R2 Storage Bucket Item Write" },
];

const queue = (name: string) => ({
  queue_name: name,
  queue_id: name,
  producers: [],
  consumers: [],
  producers_total_count: 0,
  consumers_total_count: 0,
});

function send(response: ServerResponse, answer: Answer): void {
  const ok = "result" in answer;
  const body = ok
    ? { success: true, errors: [], messages: [], result: answer.result }
    : { success: false, errors: [answer], messages: [], result: null };
  response.writeHead(ok ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
