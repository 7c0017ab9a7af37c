import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endDeploy } from "../../db/deploys.ts";
import { migrate } from "../../db/migrate.ts";
import { type Asked, HELP, readArguments } from "./arguments.ts";
import { askOperator } from "./ask.ts";
import { prepareBuckets } from "./buckets.ts";
import { requireDatabase, verifiedAddress } from "./database.ts";
import { type Environment, nameAccount } from "./environment.ts";
import { init, secretsFileOf } from "./init.ts";
import { plan } from "./plan.ts";
import { prepareQueues } from "./queues.ts";
import { requireAll, requireTools } from "./requirements.ts";
import { rollBack } from "./rollback.ts";
import { requireSecrets } from "./secrets.ts";
import { smokeTest } from "./smoke.ts";
import { Refused, wrangler } from "./wrangler.ts";

/** Checks come first, so that a failed deploy has changed nothing. */
async function deploy(given: Asked): Promise<void> {
  nameAccount(given.environment);
  const { MIGRATOR_DATABASE_URL: owner } = process.env;
  if (owner) process.env.MIGRATOR_DATABASE_URL = verifiedAddress(owner);
  if (given.rollback) {
    const databaseUrl = await requireDatabase(process.env.MIGRATOR_DATABASE_URL);
    return rollBack(given.environment, databaseUrl, () => check(given.environment, databaseUrl));
  }
  const asked = given.init ? await initialized(given) : given;
  for (const line of plan(asked.environment)) console.log(line);
  if (!asked.dryRun) await requireAll(asked.environment, asked.secretsFile);
  const directory = mkdtempSync(join(tmpdir(), "soundpost-deploy-"));
  try {
    const command = ["deploy", "--env", asked.environment.environment];
    await bundle(command, asked.environment, directory);
    if (!asked.dryRun) await release(command, asked);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** The secrets that the first deploy needs come from the file that it writes. */
async function initialized(asked: Asked): Promise<Asked> {
  await requireTools(asked.environment, askOperator);
  const secretsFile = asked.secretsFile ?? secretsFileOf(asked.environment.environment);
  const environment = await init({ ...asked, secretsFile, ask: askOperator, log: console.log });
  return { ...asked, environment, secretsFile };
}

function check({ vars }: Environment, databaseUrl: string): Promise<void> {
  const { API_URL: apiUrl = "", AUTH_URL: authUrl = "" } = vars;
  return smokeTest({ apiUrl, authUrl, databaseUrl, log: console.log });
}

/** Bundles as an upload would, without the image, which needs Docker. */
async function bundle(command: string[], { environment }: Environment, directory: string): Promise<void> {
  const flags = ["--dry-run", "--containers-rollout=none", "--outdir", directory];
  await wrangler([...command, ...flags], `The Worker does not build for ${environment}`);
}

async function release(
  command: string[],
  { environment, secretsFile, init: isPrepared }: Asked,
): Promise<void> {
  await requireSecrets(environment, secretsFile);
  const url = process.env.MIGRATOR_DATABASE_URL ?? "";
  await migrate({ url, log: console.log, besideOlderWorkers: true });
  if (!isPrepared) {
    await prepareBuckets(environment);
    await prepareQueues(environment);
  }
  await wrangler(
    [...command, ...(secretsFile ? ["--secrets-file", secretsFile] : [])],
    "The deploy did not end. The database is migrated, which older code bears; when mended, run the same command again",
    // wrangler uploads the script first, which then already answers, and afterwards the image, hosts, queues and
    // crons.
    `If wrangler said Uploaded, the new Worker runs all the same: npm run deploy -- ${environment.environment} --rollback puts the one before back`,
  );
  await check(environment, url).catch((error: unknown) => {
    const lines = error instanceof Refused ? error.lines : [String(error)];
    throw new Refused(
      ...lines,
      `Deployed, but not in order: npm run deploy -- ${environment.environment} --rollback`,
    );
  });
  await endDeploy(url);
}

try {
  const args = process.argv.slice(2);
  if (args.includes("--help")) console.log(HELP);
  else await deploy(readArguments(args));
} catch (error) {
  for (const line of error instanceof Refused ? error.lines : [String(error)]) console.error(line);
  process.exitCode = 1;
}
