import { randomUUID } from "node:crypto";

/** A Worker as Cloudflare keeps it: `secrets` before its first deploy are `undefined`; versions come newest first. */
export interface WorkerDouble {
  secrets?: string[];
  versions: string[];
  /** Hosts, crons, consumed queues and containers that came with deploys. */
  hosts: string[];
  crons: string[];
  consumers: string[];
  containers: string[];
}

interface Asked {
  method: string;
  path: string;
  /** Parsed JSON, or the parts of a form by name. */
  body: Record<string, unknown>;
}

/** The reply to one request: a result, or a code and a message. */
export type Answer = { result: unknown } | { code: number; message: string };

/** Answers what `wrangler deploy` asks about a Worker, its static files and its containers. */
export function workerAnswer(worker: WorkerDouble, { method, path, body }: Asked): Answer | undefined {
  const [, last = ""] = /^\/workers\/scripts\/[^/]+(?:\/(.*))?$/.exec(path) ?? [];
  const [, version] = /^versions\/([^/]+)$/.exec(last) ?? [];
  if (path.startsWith("/workers/scripts/") && !last && method === "PUT") return uploaded(worker, body);
  if (path.startsWith("/workers/services/") || (path.startsWith("/workers/scripts/") && !last))
    return worker.secrets ? { result: { default_environment: { script: DEPLOYED } } } : UNKNOWN;
  if (path.startsWith("/workers/workers/"))
    return { result: { id: "worker", subdomain: { enabled: false, previews_enabled: false } } };
  if (last === "secrets") return worker.secrets ? { result: worker.secrets.map(secret) } : UNKNOWN;
  if (version) return { result: versionOf(version) };
  if (last === "deployments") return { result: { id: "new", deployments: worker.versions.map(deployment) } };
  if (last === "settings") return { result: { bindings: [], migration_tag: worker.secrets && "v1" } };
  if (last === "assets-upload-session") return { result: { jwt: "jwt", buckets: [] } };
  if (last === "domains/changeset")
    return { result: { added: [], removed: [], updated: [], conflicting: [] } };
  if (last === "domains/records") return listed(worker.hosts, hostsIn(body));
  if (last === "schedules") return listed(worker.crons, Object.values(body).map(nameIn("cron")));
  const [, queue] = /^\/queues\/([^/]+)\/consumers$/.exec(path) ?? [];
  if (queue) return listed(worker.consumers, [queue]);
  return containerAnswer(worker, { method, path, body });
}

function containerAnswer(worker: WorkerDouble, { method, path, body }: Asked): Answer | undefined {
  if (path === "/containers/me") return { result: CONTAINER_ACCOUNT };
  if (path.startsWith("/containers/registries/"))
    return { result: { registry_host: "registry.cloudflare.com", username: "u", password: "p" } };
  if (path !== "/containers/applications") return undefined;
  if (method !== "POST") return { result: [] };
  listed(worker.containers, [String(body.name)]);
  return { result: { id: "application", ...body } };
}

function uploaded(worker: WorkerDouble, body: Record<string, unknown>): Answer {
  const { bindings = [], keep_bindings = [] } = body.metadata as {
    bindings?: { type: string; name: string }[];
    keep_bindings?: string[];
  };
  const given = bindings.filter(({ type }) => type === "secret_text").map(({ name }) => name);
  const before = keep_bindings.includes("secret_text") ? (worker.secrets ?? []) : [];
  worker.secrets = [...new Set([...before, ...given])];
  const version = randomUUID();
  worker.versions.unshift(version);
  return {
    result: { id: "script", etag: version, startup_time_ms: 1, deployment_id: version.replaceAll("-", "") },
  };
}

/** Deploys name everything again, so only what is new counts. */
function listed(list: string[], names: string[]): Answer {
  list.push(...names.filter((name) => !list.includes(name)));
  return { result: {} };
}

const nameIn = (field: string) => (row: unknown) => String((row as Record<string, unknown>)[field]);
const hostsIn = ({ origins }: Record<string, unknown>) => (origins as unknown[]).map(nameIn("hostname"));
const secret = (name: string) => ({ name, type: "secret_text" });

const UNKNOWN = { code: 10007, message: "This Worker does not exist on your account." };

const DEPLOYED = { tag: "tag", tags: [], last_deployed_from: "wrangler", migration_tag: "v1" };

const CONTAINER_ACCOUNT = {
  external_account_id: "registry-account",
  limits: { vcpu_per_deployment: 4, memory_mib_per_deployment: 16_384, disk_mb_per_deployment: 40_000 },
};

const versionOf = (id: string) => ({
  id,
  number: 1,
  annotations: {},
  metadata: { created_on: "2026-11-20T00:00:00Z", source: "wrangler" },
  resources: {
    bindings: [
      {
        type: "durable_object_namespace",
        name: "TRANSCODER",
        class_name: "TranscoderContainer",
        namespace_id: "n",
      },
    ],
    script: { etag: id },
    script_runtime: {},
  },
});

const deployment = (id: string, place: number) => ({
  id,
  source: "wrangler",
  strategy: "percentage",
  annotations: {},
  created_on: `2026-11-2${9 - place}T00:00:00Z`,
  versions: [{ version_id: id, percentage: 100 }],
});
