import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { brokenSecrets } from "../../functions/health/secrets.ts";
import { databaseFaults, serviceAddressFaults, versionFaults } from "../../workers/deploy/database.ts";
import { placeholders, readEnvironment } from "../../workers/deploy/environment.ts";
import { filledIn, init } from "../../workers/deploy/init.ts";
import { rollBack } from "../../workers/deploy/rollback.ts";
import { serverAccount } from "../../workers/local/postgres/account.ts";
import { postgresBinaries } from "../../workers/local/postgres/binaries.ts";
import { createCluster } from "../../workers/local/postgres/cluster.ts";
import { databaseDir } from "../../workers/local/postgres/location.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { cloudflareDouble } from "../units/cloudflare-double.ts";
import { startDatabase } from "./database.ts";
import { temporaryDataDir } from "./npm-start.ts";

// Runs wrangler itself against a double of Cloudflare.
vi.setConfig({ testTimeout: 240_000 });

const ACCOUNT = "0123456789abcdef0123456789abcdef";
const directory = mkdtempSync(join(tmpdir(), "soundpost-init-"));
const secretsFile = join(directory, "secrets.json");
let cloudflare: Awaited<ReturnType<typeof cloudflareDouble>>;
let database: Awaited<ReturnType<typeof startDatabase>>;

beforeAll(async () => {
  [cloudflare, database] = await Promise.all([cloudflareDouble(), startManagedDatabase()]);
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", cloudflare.url);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", ACCOUNT);
  vi.stubEnv("MIGRATOR_DATABASE_URL", "");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  cloudflare?.close();
  await database?.stop();
  rmSync(directory, { recursive: true });
});

/** Starts a database like a provider's: no role but the owner, which may make others. */
async function startManagedDatabase() {
  const dataDir = temporaryDataDir();
  mkdirSync(dataDir, { recursive: true });
  const account = serverAccount(join(dataDir, "postgres"));
  const [cluster, binaries] = [databaseDir(dataDir, account), postgresBinaries(account)];
  const secrets = await keepSecrets(dataDir);
  const passwords = { owner: secrets.DATABASE_OWNER_PASSWORD, app: secrets.DATABASE_APP_PASSWORD };
  createCluster({ binaries, directory: cluster, account }, passwords);
  const { status, stderr } = spawnSync(
    join(binaries, "bin/postgres"),
    ["--single", "-D", cluster, "postgres"],
    {
      ...account,
      cwd: "/",
      input: "DROP ROLE soundpost_app;\nALTER ROLE soundpost_owner CREATEROLE;\n",
    },
  );
  if (status !== 0) throw new Error(String(stderr));
  return startDatabase(dataDir);
}

async function asked(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
const owner = (text: string) => asked(database.databaseUrl, text);

/** An environment whose examples are filled in, with one queue, because each costs two starts of wrangler. */
function filledEnvironment() {
  const text = JSON.stringify(readEnvironment("staging"));
  const environment = JSON.parse(filledIn(text, "music.test", ACCOUNT));
  const queues = { producers: [], consumers: environment.queues.consumers.slice(0, 1) };
  return { ...environment, vars: { ...environment.vars, MAIL_FROM: "house@music.invalid" }, queues };
}

const lines: string[] = [];
const run = () =>
  init({
    environment: filledEnvironment(),
    secretsFile,
    ask: async (name) => (name === "MIGRATOR_DATABASE_URL" ? database.databaseUrl : ""),
    log: (line) => lines.push(line),
  });
const secrets = () => JSON.parse(readFileSync(secretsFile, "utf8"));

test("the first run stops at what it may not do, and the next goes on with what was made", async () => {
  cloudflare.rights.tokens = false;
  await expect(run()).rejects.toThrow("Unauthorized to access requested resource");
  const before = secrets();
  expect(Object.keys(before).sort()).toEqual([
    ...["CONNECTION_SERVICES", "DATABASE_URL", "JWT_KEYS", "METRICS_TOKEN", "SEAL_KEYS", "SIGNING_KEYS"],
  ]);
  expect(await brokenSecrets(before)).toEqual([]);
  expect(statSync(secretsFile).mode & 0o777).toBe(0o600);

  cloudflare.rights.tokens = true;
  await run();
  expect(secrets()).toEqual({
    ...before,
    S3_ACCESS_KEY_ID: "token-id",
    S3_SECRET_ACCESS_KEY: createHash("sha256").update("token-value").digest("hex"),
  });
  expect(Object.keys(secrets()).sort()).toEqual(readEnvironment("staging").secrets.required.toSorted());
  const made = cloudflare.changes.filter(({ path }) => path === "/tokens");
  expect(made.at(-1)?.body).toEqual({
    name: "soundpost-staging",
    policies: [
      {
        effect: "allow",
        permission_groups: [{ id: "write-id" }],
        resources: {
          [`com.cloudflare.edge.r2.bucket.${ACCOUNT}_default_soundpost-uploads-staging`]: "*",
          [`com.cloudflare.edge.r2.bucket.${ACCOUNT}_default_soundpost-media-staging`]: "*",
        },
      },
    ],
  });
  expect(lines.join("\n")).toMatch(/music\.invalid has no SPF record yet/);
});

test("the service's role may sign in, is limited, and owns nothing", async () => {
  const [limits] = await asked(
    secrets().DATABASE_URL,
    "select current_user, current_setting('statement_timeout') as t",
  );
  expect(limits).toEqual({ current_user: "soundpost_app", t: "5s" });
  const [role] = await owner(
    "select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = 'soundpost_app'",
  );
  expect(Object.values(role)).toEqual([false, false, false, false]);
});

test("a complete file is kept as it is", async () => {
  const before = readFileSync(secretsFile, "utf8");
  cloudflare.changes.length = 0;
  await run();
  expect(readFileSync(secretsFile, "utf8")).toBe(before);
  expect(cloudflare.changes.filter(({ path }) => path === "/tokens" || path === "/queues")).toEqual([]);
});

test("databases that cannot take the migrations are refused before the first", async () => {
  expect(await databaseFaults(database.databaseUrl)).toEqual([]);
  const pooled = "postgres://owner@ep-a-pooler.eu.neon.tech/soundpost";
  expect(await databaseFaults(pooled)).toEqual([expect.stringContaining("take the direct address")]);
  expect(await databaseFaults("postgres://owner@127.0.0.1:9/soundpost")).toEqual([
    expect.stringContaining("ECONNREFUSED"),
  ]);
  expect(versionFaults(150_014)).toEqual([
    expect.stringContaining("is PostgreSQL 15; the functions need 17"),
  ]);
  expect([versionFaults(170_000), versionFaults(180_001)]).toEqual([[], []]);
  const direct = pooled.replace("-pooler", "");
  expect(serviceAddressFaults(pooled.replace("owner", "soundpost_app"), direct)).toEqual([]);
  expect(serviceAddressFaults(direct.replace("ep-a", "ep-b"), direct)).toEqual([
    expect.stringContaining("soundpost_app"),
    expect.stringContaining("two different databases"),
  ]);
});

test("a rollback puts the version before the present one back, then checks the service", async () => {
  const [broken, good] = ["22222222-2222-4222-8222-222222222222", "11111111-1111-4111-8111-111111111111"];
  cloudflare.worker.versions = [broken, good];
  cloudflare.changes.length = 0;
  const check = vi.fn(async () => {});
  await rollBack(readEnvironment("staging"), check);
  expect(cloudflare.changes).toMatchObject([
    {
      path: "/workers/scripts/soundpost-staging/deployments",
      body: { versions: [{ version_id: good, percentage: 100 }] },
    },
  ]);
  expect(check).toHaveBeenCalledOnce();
  cloudflare.worker.versions = [broken];
  await expect(rollBack(readEnvironment("staging"), check)).rejects.toThrow("The Worker was not rolled back");
  expect(check).toHaveBeenCalledOnce();
});

test("the operator's domain and account replace every example", () => {
  const config = readFileSync(join(PROJECT_DIR, "wrangler.toml"), "utf8");
  const filled = filledIn(config, "music.test", ACCOUNT);
  expect(filled).not.toMatch(/soundpost\.example|ACCOUNT_ID/);
  expect(placeholders(filledEnvironment())).toEqual([]);
  for (const domain of ["https://music.test", "music", "music.test/"])
    expect(() => filledIn(config, domain, ACCOUNT)).toThrow("DOMAIN must be");
  expect(() => filledIn(config, "music.test", "mine")).toThrow("CLOUDFLARE_ACCOUNT_ID must");
});
