import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { brokenSecrets } from "../../functions/api/health/secrets.ts";
import { MEDIA_CORS, UPLOADS_CORS, UPLOADS_LIFECYCLE } from "../../workers/deploy/buckets.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { readSettings } from "../../workers/local/stack/settings.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { isFull } from "../support/repeats.ts";
import { cloudflareDouble } from "../units/cloudflare-double.ts";
import { copyProject, deploy } from "./deploying.support.ts";
import { asked, startManagedDatabase } from "./managed-database.ts";
import { temporaryDataDir, until } from "./npm-start.ts";

// Runs the command with the real wrangler, a dozen starts of a slow program. Cloudflare and Docker are
// doubles; the database is real. The Worker that was uploaded is not run: the local one answers on the same database.
vi.setConfig({ testTimeout: 300_000 });

const ACCOUNT = "0123456789abcdef0123456789abcdef";
const dataDir = temporaryDataDir();
let cloudflare: Awaited<ReturnType<typeof cloudflareDouble>>;
let database: Awaited<ReturnType<typeof startManagedDatabase>>;
let project: ReturnType<typeof copyProject>;
let stack: Stack | undefined;
let port: number;

beforeAll(async () => {
  [cloudflare, database, port] = await Promise.all([
    cloudflareDouble(),
    startManagedDatabase(),
    freePorts(3),
  ]);
  project = copyProject((config) => reachable(isFull ? config : withOneQueue(config)));
  committed = project.config();
});
afterAll(async () => {
  await stack?.stop();
  cloudflare?.close();
  await database?.stop();
  for (const one of [dataDir, project?.directory]) if (one) rmSync(one, { recursive: true, force: true });
});

/** The check after the deploy reaches this machine; hosts and the mailbox's domain remain to be filled in. */
const reachable = (config: string) =>
  config.replace(
    /^((?:API|AUTH)_URL = )"https:\/\/\w+\.staging\.soundpost\.example"/gm,
    `$1"http://localhost:${port}"`,
  );

/** Each queue costs a start of wrangler. */
const withOneQueue = (config: string) =>
  config.replace(/\[\[env\.staging\.queues\.\w+\]\]\n(?:.+\n)+\n/g, (block) =>
    block.includes('queue = "jobs-staging"') ? block.replace(/^dead_letter_queue.*\n/m, "") : "",
  );

const inFile = () => JSON.parse(readFileSync(join(project.directory, ".data/secrets.staging.json"), "utf8"));
const run = (args: string[], answers?: Record<string, string>, env: Record<string, string> = {}) =>
  deploy(project, ["staging", ...args], {
    env: { CLOUDFLARE_API_BASE_URL: cloudflare.url, ...env },
    ...(answers && { answers }),
  });
const rulesSet = () =>
  Object.fromEntries(
    cloudflare.changes
      .splice(0)
      .filter(({ path }) => /\/(?:cors|lifecycle)$/.test(path))
      .map(({ path, body }) => [path.replace("/r2/buckets/soundpost-", ""), body.rules]),
  );
const madeNow = () =>
  cloudflare.changes
    .filter(({ path }) => ["/r2/buckets", "/queues", "/tokens"].includes(path))
    .map(({ path, body }) => `${path} ${body.name ?? body.queue_name}`)
    .sort();

const BUCKETS = ["/r2/buckets soundpost-media-staging", "/r2/buckets soundpost-uploads-staging"];

const RULES = {
  "uploads-staging/cors": UPLOADS_CORS,
  "media-staging/cors": MEDIA_CORS,
  "uploads-staging/lifecycle": UPLOADS_LIFECYCLE,
};

const openDeploys = () => asked(database.databaseUrl, "select 1 from ledger.open_deploys");

const signedIn = () => ({ CLOUDFLARE_API_TOKEN: "token", MIGRATOR_DATABASE_URL: database.databaseUrl });

let committed: string;
let keys: Parameters<typeof brokenSecrets>[0];

test("a script without an answer is told which one, and nothing is made", async () => {
  const { code, output } = await run(["--init"], undefined, { CLOUDFLARE_API_TOKEN: "token" }).ended;
  expect({ code, output: output.trim() }).toEqual({
    code: 1,
    output: "DOMAIN is not set: Your domain, in place of soundpost.example",
  });
  expect(cloudflare.changes).toEqual([]);
});

test("an operator answers four questions, and closes the window in the middle: what was made is kept", async () => {
  cloudflare.rights.silent = true;
  const answers = {
    CLOUDFLARE_API_TOKEN: "a-hushed-token",
    DOMAIN: "music.test",
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    MIGRATOR_DATABASE_URL: database.databaseUrl,
  };
  const started = run(["--init"], answers);
  await until(
    "buckets and queues are there",
    () => started.output().includes("Buckets and queues: there"),
    200_000,
  );
  started.kill();
  await started.ended;
  expect([...started.typed].sort()).toEqual(Object.keys(answers).sort());
  keys = inFile();
  expect(await brokenSecrets(keys)).toEqual([]);
  expect(statSync(join(project.directory, ".data/secrets.staging.json")).mode & 0o777).toBe(0o600);
  expect(madeNow()).toEqual(isFull ? expect.arrayContaining(BUCKETS) : ["/queues jobs-staging", ...BUCKETS]);
  expect(rulesSet()).toEqual(RULES);
  expect(readFileSync(join(project.directory, ".data/deploy.toml"), "utf8")).toContain(
    `domain = "music.test"\naccount_id = "${ACCOUNT}"\n`,
  );
  expect(project.config()).toBe(committed);
  expect(cloudflare.asked[0]).toBe("/user/tokens/verify");
  expect(started.output()).not.toMatch(/a-hushed-token|postgres:\/\/\w/);
});

test("the same command goes on to the end: the Worker is deployed and checked, and nothing is made twice", async () => {
  cloudflare.rights.silent = false;
  const started = run(["--init"], undefined, signedIn());
  await until("the Worker is uploaded", () => cloudflare.worker.versions.length === 1, 200_000).catch(
    (error) => {
      throw new Error(`${error.message}\n${started.output()}`);
    },
  );
  await fillDataDir(dataDir);
  const { DATABASE_URL } = inFile();
  const given = {
    DATA_DIR: dataDir,
    PORT: String(port),
    DATABASE_URL,
    MIGRATOR_DATABASE_URL: database.databaseUrl,
  };
  stack = await startStack({ ...readSettings(given), log: () => {}, transcoders: 1 });
  const { code, output } = await started.ended;
  expect(output).toMatch(
    new RegExp(
      [
        "Database: reachable, new enough and direct",
        "Buckets and queues: there",
        "R2 token: for the two buckets alone",
        "Mail: music.test has no SPF record yet",
        "Secrets: in .*secrets.staging.json",
        "Environment staging",
        "Migrations: \\d+ in a new database",
        "Uploaded soundpost-staging",
        "Ready: database, storage and keys",
        "A token was issued",
        "A second of audio was uploaded and encoded",
        "Its stream plays: \\d+ bytes in the first segment",
      ].join("[^]*"),
    ),
  );
  expect(code).toBe(0);
  expect(inFile()).toEqual({
    ...keys,
    S3_ACCESS_KEY_ID: "token-id",
    S3_SECRET_ACCESS_KEY: createHash("sha256").update("token-value").digest("hex"),
  });
  expect(madeNow()).toEqual(["/tokens soundpost-staging"]);
  expect(rulesSet()).toEqual(RULES);
  const { hosts, crons, consumers, containers, secrets } = cloudflare.worker;
  expect(hosts).toEqual(["api.staging.music.test", "auth.staging.music.test", "staging.music.test"]);
  expect(crons).toEqual(["* * * * *", "*/5 * * * *"]);
  expect(consumers).toContain("jobs-staging");
  expect(containers).toEqual(["soundpost-transcoder-staging"]);
  expect(secrets?.toSorted()).toEqual(Object.keys(inFile()).sort());
  expect(await asked(database.databaseUrl, "select 1 from accounts")).toEqual([]);
  expect(await openDeploys()).toEqual([]);
  expect(project.logOf("docker")).toMatch(/^build .*--build-arg FIXES_OF=\d{4}-\d\d-\d\d /m);
  expect(project.logOf("docker")).toMatch(/^push registry/m);
});

test("a rollback puts the version before back, checks it, and removes what a killed check left", async () => {
  const [now = ""] = cloudflare.worker.versions;
  cloudflare.worker.versions = [now, "11111111-1111-4111-8111-111111111111"];
  await asked(
    database.databaseUrl,
    `with u as (insert into users (id, username, permalink, username_key) values (7, 'deploycheck7', 'deploycheck7', 'deploycheck7') returning id)
     insert into accounts (user_id, email, password_hash, created_at)
     select id, 'deploycheck7@invalid.example', '', now() - interval '2 hours' from u`,
  );
  const { code, output } = await run(["--rollback"], undefined, signedIn()).ended;
  expect(output).toContain("Its stream plays");
  expect(code).toBe(0);
  expect(cloudflare.changes.find(({ path }) => path.endsWith("/deployments"))?.body).toMatchObject({
    versions: [{ version_id: "11111111-1111-4111-8111-111111111111", percentage: 100 }],
  });
  expect(await asked(database.databaseUrl, "select 1 from accounts")).toEqual([]);
  expect(await openDeploys()).toHaveLength(1);
});

test.runIf(isFull)("a deploy whose image is not pushed says that the new Worker may run", async () => {
  writeFileSync(join(project.tools, "docker.refuses"), "push");
  const { code, output } = await run([], undefined, signedIn()).ended;
  rmSync(join(project.tools, "docker.refuses"));
  expect(output).toMatch(
    /Uploaded soundpost-staging[\s\S]*run the same command again\nIf wrangler said Uploaded, the new Worker runs all the same: npm run deploy -- staging --rollback/,
  );
  expect(code).toBe(1);
  expect(cloudflare.worker.versions.shift()).toBeDefined();
});

test.runIf(isFull)("a later deploy needs no file, and makes nothing anew", async () => {
  const { code, output } = await run([], undefined, signedIn()).ended;
  expect(output).toContain("Its stream plays");
  expect(code).toBe(0);
  expect(madeNow()).toEqual([]);
  expect(cloudflare.worker.versions).toHaveLength(3);
});
