import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MEDIA_CORS, prepareBuckets, UPLOADS_CORS, UPLOADS_LIFECYCLE } from "../../workers/deploy/buckets.ts";
import { queuesOf, readEnvironment } from "../../workers/deploy/environment.ts";
import { prepareQueues } from "../../workers/deploy/queues.ts";
import { requireSecrets } from "../../workers/deploy/secrets.ts";
import { repeats } from "../support/repeats.ts";
import { cloudflareDouble } from "./cloudflare-double.ts";

// Runs wrangler itself against a double of Cloudflare: a dozen starts of a slow program.
vi.setConfig({ testTimeout: 240_000 });

const environment = readEnvironment("staging");
const directory = mkdtempSync(join(tmpdir(), "soundpost-deploy-"));
let cloudflare: Awaited<ReturnType<typeof cloudflareDouble>>;

beforeAll(async () => {
  cloudflare = await cloudflareDouble();
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "account");
});

afterAll(() => {
  vi.unstubAllEnvs();
  cloudflare.close();
  rmSync(directory, { recursive: true });
});

const CREATED = [
  { path: "/r2/buckets", body: { name: "soundpost-media-staging" } },
  { path: "/r2/buckets", body: { name: "soundpost-uploads-staging" } },
];

const RULES = [
  { path: "/r2/buckets/soundpost-media-staging/cors", body: { rules: MEDIA_CORS } },
  { path: "/r2/buckets/soundpost-uploads-staging/cors", body: { rules: UPLOADS_CORS } },
  { path: "/r2/buckets/soundpost-uploads-staging/lifecycle", body: { rules: UPLOADS_LIFECYCLE } },
];

/** Changes since the last call, sorted, because several wranglers run in parallel. */
const changes = () => cloudflare.changes.splice(0).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const keyOf = ({ path, body }: { path: string; body: Record<string, unknown> }) =>
  `${path} ${body.name ?? body.queue_name ?? ""}`;

test("buckets are created with their rules; later only the rules are set", async () => {
  await prepareBuckets(environment);
  expect(changes()).toEqual([...CREATED, ...RULES]);
  await prepareBuckets(environment);
  expect(changes()).toEqual(RULES);
});

test("queues are created once", async () => {
  // Each costs two starts of wrangler, and a test of environments names them all.
  const consumers = environment.queues.consumers.slice(0, repeats(1, Infinity));
  const some = { ...environment, queues: { producers: [], consumers } };
  await prepareQueues(some);
  const created = queuesOf(some).sort();
  expect(changes()).toMatchObject(created.map((queue_name) => ({ path: "/queues", body: { queue_name } })));
  await prepareQueues(some);
  expect(changes()).toEqual([]);
});

test("before the first deploy all secrets must come in a file, as lines or as JSON", async () => {
  const { required } = environment.secrets;
  await expect(requireSecrets(environment)).rejects.toThrow(/JWT_KEYS is not set[\s\S]*--secrets-file/);
  const lines = join(directory, "secrets.env");
  writeFileSync(lines, required.map((name) => `${name}="x"`).join("\n"));
  await requireSecrets(environment, lines);
  const json = join(directory, "secrets.json");
  writeFileSync(json, JSON.stringify(Object.fromEntries(required.map((name) => [name, "x"]))));
  await requireSecrets(environment, json);
});

test("later deploys require only missing secrets", async () => {
  const { required } = environment.secrets;
  cloudflare.worker.secrets = required;
  await requireSecrets(environment);
  cloudflare.worker.secrets = required.filter((name) => name !== "SEAL_KEYS");
  const refused = requireSecrets(environment);
  await expect(refused).rejects.toThrow(
    "SEAL_KEYS is not set: npx wrangler secret put SEAL_KEYS --env staging",
  );
  await expect(refused).rejects.not.toThrow("JWT_KEYS");
});
