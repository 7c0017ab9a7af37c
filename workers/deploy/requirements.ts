import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import pg from "pg";
import { type Environment, placeholders } from "./environment.ts";
import { askWrangler, Refused } from "./wrangler.ts";

/** Refuses with one line per missing requirement. */
export async function requireAll(environment: Environment, secretsFile?: string): Promise<void> {
  const missing = [
    ...placeholders(environment).map(
      (text) => `wrangler.toml: env.${environment.environment} still holds an example: ${text}`,
    ),
    ...(await databaseFaults(process.env.MIGRATOR_DATABASE_URL)),
    ...(await cloudflareFaults()),
    ...dockerFaults(),
  ];
  if (secretsFile && !existsSync(secretsFile)) missing.push(`${secretsFile}: no such file`);
  if (missing.length) throw new Refused(...missing);
}

async function databaseFaults(url: string | undefined): Promise<string[]> {
  if (!url) return ["MIGRATOR_DATABASE_URL is not set: the database owner's address, for the migrations"];
  if (!URL.canParse(url)) return ["MIGRATOR_DATABASE_URL is not an address (postgres://…)"];
  // Migrations run under a session lock, which a pooler would not preserve.
  if (new URL(url).hostname.includes("-pooler."))
    return ["MIGRATOR_DATABASE_URL leads through the pooler: take the direct address, without -pooler"];
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    // Migrations grant rights as they create tables. A role created later would miss them.
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = 'soundpost_app'");
    if (rowCount) return [];
    return ["The database has no role soundpost_app, which DATABASE_URL names: CREATE ROLE it first"];
  } catch (error) {
    return [`MIGRATOR_DATABASE_URL: ${error instanceof Error ? error.message : error}`];
  } finally {
    await client.end().catch(() => {});
  }
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
