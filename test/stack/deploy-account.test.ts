import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readEnvironment } from "../../workers/deploy/environment.ts";
import { requireSecrets } from "../../workers/deploy/secrets.ts";
import { allPids, environmentOf } from "../../workers/local/stack/processes.ts";
import { generateSecrets } from "../../workers/local/stack/secrets.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { cloudflareDouble } from "../units/cloudflare-double.ts";

// Runs wrangler itself against a double of Cloudflare. stack/deploy-program.test.ts runs the rest of a deploy.
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

test("before the first deploy all secrets must come in a file, as lines or as JSON", async () => {
  const { required } = environment.secrets;
  await expect(requireSecrets(environment)).rejects.toThrow(/JWT_KEYS is not set[\s\S]*--secrets-file/);
  const secrets: Record<string, string> = { ...(await generateSecrets()), CONNECTION_SERVICES: "{}" };
  const given = (name: string) => secrets[name] ?? "x";
  const lines = join(directory, "secrets.env");
  writeFileSync(lines, required.map((name) => `${name}='${given(name)}'`).join("\n"));
  await requireSecrets(environment, lines);
  const json = join(directory, "secrets.json");
  writeFileSync(json, JSON.stringify(Object.fromEntries(required.map((name) => [name, given(name)]))));
  await requireSecrets(environment, json);
});

test("a file whose services no Worker could read is refused before it is sent, without a value of it", async () => {
  const file = join(directory, "secrets.json");
  for (const [services, words] of [
    ["{secret", "CONNECTION_SERVICES must be a JSON object by service"],
    ['{"twitter":{"client_secret":"secret"}}', "CONNECTION_SERVICES twitter.client_id is missing"],
  ] as const) {
    writeFileSync(file, JSON.stringify({ CONNECTION_SERVICES: services }));
    const refused = requireSecrets(environment, file);
    await expect(refused).rejects.toThrow(`${file}: ${words}`);
    await expect(refused).rejects.not.toThrow(/secret(?!s\.json)/);
  }
});

test("keys that no Worker could start with are refused before anything is changed, without a word of them", async () => {
  const file = join(directory, "secrets.json");
  writeFileSync(file, JSON.stringify({ JWT_KEYS: "hush", SEAL_KEYS: "hush" }));
  const refused = requireSecrets(environment, file);
  await expect(refused).rejects.toThrow(`${file}: JWT_KEYS can be no key\n${file}: SEAL_KEYS can be no key`);
  await expect(refused).rejects.not.toThrow(/hush|SIGNING_KEYS/);
});

test("a file of secrets that is no JSON is refused without a word of it", async () => {
  const file = join(directory, "secrets.json");
  writeFileSync(file, '{"SEAL_KEYS":hush}');
  const refused = requireSecrets(environment, file);
  await expect(refused).rejects.toThrow(`${file} is no JSON`);
  await expect(refused).rejects.not.toThrow("hush");
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

test("a deploy that is ended ends wrangler, too, which would go on alone", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  const asked = once(silent, "request");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const module = join(PROJECT_DIR, "workers/deploy/wrangler.ts");
  const script = `await (await import(${JSON.stringify(module)})).askWrangler("secret", "list", "--env", "staging")`;
  const mark = `SOUNDPOST_MARK=${directory}`;
  const env = {
    ...process.env,
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
    SOUNDPOST_MARK: directory,
  };
  const program = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env,
    stdio: "ignore",
  });
  const ended = once(program, "exit");
  await asked;
  program.kill("SIGTERM");
  expect(await ended).toEqual([1, null]);
  await expect.poll(() => allPids().filter((pid) => environmentOf(pid).includes(mark))).toEqual([]);
  silent.close().closeAllConnections();
});
