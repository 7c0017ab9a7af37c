import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../db/migrate.ts";
import { type Asked, readArguments } from "./arguments.ts";
import { prepareBuckets } from "./buckets.ts";
import type { Environment } from "./environment.ts";
import { plan } from "./plan.ts";
import { prepareQueues } from "./queues.ts";
import { requireAll } from "./requirements.ts";
import { requireSecrets } from "./secrets.ts";
import { Refused, wrangler } from "./wrangler.ts";

/** Checks come first, so that a failed deploy has changed nothing. */
async function deploy({ environment, dryRun, secretsFile }: Asked): Promise<void> {
  for (const line of plan(environment)) console.log(line);
  if (!dryRun) await requireAll(environment, secretsFile);
  await bundle(environment);
  if (dryRun) return;
  await requireSecrets(environment, secretsFile);
  const url = process.env.MIGRATOR_DATABASE_URL ?? "";
  await migrate({ url, log: console.log, besideOlderWorkers: true });
  await prepareBuckets(environment);
  await prepareQueues(environment);
  const withSecrets = secretsFile ? ["--secrets-file", secretsFile] : [];
  await wrangler(
    ["deploy", "--env", environment.environment, ...withSecrets],
    "The Worker was not deployed; the database is migrated, which older code bears",
  );
}

/** Bundles as an upload would, without the image, which needs Docker. */
async function bundle({ environment }: Environment): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-bundle-"));
  try {
    const flags = ["--dry-run", "--containers-rollout=none", "--env", environment, "--outdir", directory];
    await wrangler(["deploy", ...flags], `The Worker does not build for ${environment}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

try {
  await deploy(readArguments(process.argv.slice(2)));
} catch (error) {
  for (const line of error instanceof Refused ? error.lines : [String(error)]) console.error(line);
  process.exitCode = 1;
}
