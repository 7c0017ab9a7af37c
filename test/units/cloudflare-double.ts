import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const CHANGES = new Set(["POST", "PUT"]);

/** The part of Cloudflare's API that wrangler needs to prepare an environment. */
export async function cloudflareDouble() {
  const buckets = new Set<string>();
  const queues = new Set<string>();
  /** The Worker's secrets, `undefined` before its first deploy, and the ids of its versions, newest first. */
  const worker: { secrets?: string[]; versions: string[] } = { versions: [] };
  /** Whether the caller's token may make tokens. */
  const rights = { tokens: true };
  const changes: { path: string; body: Record<string, unknown> }[] = [];

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://double");
    const path = pathname.replace(/^\/accounts\/[^/]+/, "");
    const body = JSON.parse((await text(request)) || "{}");
    if (CHANGES.has(request.method ?? "")) changes.push({ path, body });
    if (path.startsWith("/tokens") && !rights.tokens)
      return refuse(response, 9109, "Unauthorized to access requested resource");
    if (path === "/tokens/permission_groups") return reply(response, PERMISSIONS);
    if (path === "/tokens") return reply(response, { id: "token-id", value: "token-value" });
    const [, bucket] = /^\/r2\/buckets\/([^/]+)/.exec(path) ?? [];
    if (path.endsWith("/secrets")) {
      if (!worker.secrets) return refuse(response, 10007, "This Worker does not exist on your account.");
      return reply(
        response,
        worker.secrets.map((name) => ({ name, type: "secret_text" })),
      );
    }
    const [, version] = /^\/workers\/scripts\/[^/]+\/versions\/([^/]+)$/.exec(path) ?? [];
    if (version) return reply(response, versionOf(version));
    if (path.endsWith("/deployments"))
      return reply(response, { id: "new", deployments: worker.versions.map(deploymentOf) });
    if (bucket && !buckets.has(bucket))
      return refuse(response, 10006, "The specified bucket does not exist.");
    if (bucket) return reply(response, { rules: [] });
    if (path === "/r2/buckets") buckets.add(body.name);
    if (path === "/queues" && request.method === "POST") queues.add(body.queue_name);
    const asked = searchParams.get("name") ?? body.queue_name;
    reply(
      response,
      request.method === "POST" ? queue(body.queue_name) : queues.has(asked) ? [queue(asked)] : [],
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    worker,
    rights,
    changes,
    close: () => server.close(),
  };
}

const PERMISSIONS = [
  { id: "read-id", name: "Workers R2 Storage Bucket Item Read" },
  { id: "write-id", name: "Workers R2 Storage Bucket Item Write" },
];

const versionOf = (id: string) => ({
  ...{ id, number: 1, annotations: {}, metadata: { created_on: "2026-11-20T00:00:00Z", source: "wrangler" } },
  resources: { bindings: [], script: { etag: id }, script_runtime: {} },
});

const deploymentOf = (id: string, place: number) => ({
  ...{ id, source: "wrangler", strategy: "percentage", annotations: {} },
  created_on: `2026-11-2${9 - place}T00:00:00Z`,
  versions: [{ version_id: id, percentage: 100 }],
});

const queue = (name: string) => ({
  queue_name: name,
  queue_id: name,
  producers: [],
  producers_total_count: 0,
  consumers: [],
  consumers_total_count: 0,
});

const reply = (response: ServerResponse, result: unknown) =>
  send(response, 200, { success: true, errors: [], messages: [], result });

const refuse = (response: ServerResponse, code: number, message: string) =>
  send(response, 404, { success: false, errors: [{ code, message }], messages: [], result: null });

const send = (response: ServerResponse, status: number, body: unknown) =>
  void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
