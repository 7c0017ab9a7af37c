import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { accountFaults, requireToken } from "./api-token.ts";
import type { Ask } from "./ask.ts";
import { VALUES } from "./config.ts";
import { databaseFaults, hasServiceRole } from "./database.ts";
import { buildsImages, type Environment, placeholders } from "./environment.ts";
import { Refused } from "./wrangler.ts";

/** Refuses with one line per missing requirement. */
export async function requireAll(environment: Environment, secretsFile?: string): Promise<void> {
  const missing = [
    ...placeholders(environment).map(
      (text) =>
        `env.${environment.environment} still holds an example of wrangler.toml: ${text}. --init asks for it; or set it in ${VALUES}`,
    ),
    ...(await ownersFaults(process.env.MIGRATOR_DATABASE_URL)),
    ...(await accountFaults(environment)),
    ...dockerFaults(environment),
  ];
  if (secretsFile && !existsSync(secretsFile)) missing.push(`${secretsFile}: no such file`);
  if (missing.length) throw new Refused(...missing);
}

/** Refuses before anything is made. */
export async function requireTools(environment: Environment, ask: Ask): Promise<void> {
  const missing = dockerFaults(environment);
  if (missing.length) throw new Refused(...missing);
  await requireToken(environment, ask);
}

async function ownersFaults(url: string | undefined): Promise<string[]> {
  const faults = await databaseFaults(url);
  if (faults.length || !url || (await hasServiceRole(url))) return faults;
  return ["The database has no role soundpost_app, which DATABASE_URL names: --init makes it"];
}

function dockerFaults(environment: Environment): string[] {
  if (!buildsImages(environment)) return [];
  const docker = process.env.WRANGLER_DOCKER_BIN ?? "docker";
  if (spawnSync(docker, ["info"], { stdio: "ignore" }).status === 0) return [];
  return [
    "Docker does not answer: wrangler builds the transcoder's image with it.",
    `Without it, name an image that a registry has: image = "…:tag" under [[env.${environment.environment}.containers]] in ${VALUES}`,
  ];
}
