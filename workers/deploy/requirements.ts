import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Ask } from "./ask.ts";
import { databaseFaults, hasServiceRole } from "./database.ts";
import { type Environment, placeholders } from "./environment.ts";
import { askWrangler, Refused } from "./wrangler.ts";

const TOKEN_RIGHTS =
  "A Cloudflare API token that may edit Workers, Containers, R2, Queues, DNS and the account's tokens";

/** Refuses with one line per missing requirement. */
export async function requireAll(environment: Environment, secretsFile?: string): Promise<void> {
  const missing = [
    ...placeholders(environment).map(
      (text) => `wrangler.toml: env.${environment.environment} still holds an example: ${text}`,
    ),
    ...(await ownersFaults(process.env.MIGRATOR_DATABASE_URL)),
    ...(await cloudflareFaults()),
    ...dockerFaults(),
  ];
  if (secretsFile && !existsSync(secretsFile)) missing.push(`${secretsFile}: no such file`);
  if (missing.length) throw new Refused(...missing);
}

/** Refuses before anything is made. Asks for a token if nobody is signed in. */
export async function requireTools(ask: Ask): Promise<void> {
  const missing = dockerFaults();
  if (missing.length) throw new Refused(...missing);
  if ((await cloudflareFaults()).length)
    process.env.CLOUDFLARE_API_TOKEN = await ask("CLOUDFLARE_API_TOKEN", TOKEN_RIGHTS);
}

async function ownersFaults(url: string | undefined): Promise<string[]> {
  const faults = await databaseFaults(url);
  if (faults.length || !url || (await hasServiceRole(url))) return faults;
  return ["The database has no role soundpost_app, which DATABASE_URL names: --init makes it"];
}

async function cloudflareFaults(): Promise<string[]> {
  if (process.env.CLOUDFLARE_API_TOKEN || (await askWrangler("whoami", "--json")).ok) return [];
  return ["Not signed in to Cloudflare: set CLOUDFLARE_API_TOKEN, or run npx wrangler login"];
}

function dockerFaults(): string[] {
  const docker = process.env.WRANGLER_DOCKER_BIN ?? "docker";
  if (spawnSync(docker, ["info"], { stdio: "ignore" }).status === 0) return [];
  return ["Docker does not answer: wrangler builds the transcoder's image with it"];
}
