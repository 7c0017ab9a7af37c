import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { problemsOfServices } from "../../functions/api/connections/services.ts";
import { brokenSecrets } from "../../functions/api/health/secrets.ts";
import type { Environment } from "./environment.ts";
import { askWrangler, Refused } from "./wrangler.ts";

/** Refuses if a required secret neither exists nor comes with this deploy, or the Worker could not use one that comes. */
export async function requireSecrets(
  { environment, name, secrets, vars }: Environment,
  secretsFile?: string,
): Promise<void> {
  const given: Given = secretsFile ? secretsIn(secretsFile) : {};
  const services = given.CONNECTION_SERVICES;
  const faults = [
    ...(services === undefined
      ? []
      : problemsOfServices(services).map((fault) => `CONNECTION_SERVICES ${fault}`)),
    ...(await brokenKeys(given)),
  ];
  if (faults.length) throw new Refused(...faults.map((fault) => `${secretsFile}: ${fault}`));
  const known = new Set([...Object.keys(given), ...(await namesOf(environment, name))]);
  // The puzzle would stand in for a widget without its secret.
  const ofWidget = vars.TURNSTILE_SITE_KEY ? ["TURNSTILE_SECRET"] : [];
  const missing = [...secrets.required, ...ofWidget].filter((secret) => !known.has(secret));
  if (!missing.length) return;
  throw new Refused(
    ...missing.map(
      (secret) => `${secret} is not set: npx wrangler secret put ${secret} --env ${environment}`,
    ),
    "Before the first deploy there is no Worker to keep them: give a file of NAME=value lines with --secrets-file",
  );
}

/** Lists keys that no Worker could start with. Those that do not come are kept from an earlier deploy. */
async function brokenKeys(given: Given): Promise<string[]> {
  const { JWT_KEYS = "", SIGNING_KEYS = "", SEAL_KEYS = "" } = given;
  const broken = await brokenSecrets({ JWT_KEYS, SIGNING_KEYS, SEAL_KEYS });
  return broken.filter((name) => name in given).map((name) => `${name} can be no key`);
}

async function namesOf(environment: string, worker: string): Promise<string[]> {
  const answer = await askWrangler("secret", "list", "--env", environment, "--format", "json");
  if (answer.ok) return (JSON.parse(answer.stdout) as { name: string }[]).map(({ name }) => name);
  // 10007: the Worker does not exist yet.
  if (/\b10007\b|not found|does not exist/i.test(answer.stderr + answer.stdout)) return [];
  throw new Refused(`The secrets of ${worker} cannot be listed:`, answer.stderr.trim());
}

type Given = Record<string, string | undefined>;

/** Reads wrangler's formats: JSON, or lines of NAME=value. */
function secretsIn(file: string): Given {
  const text = readFileSync(file, "utf8");
  if (!text.trimStart().startsWith("{")) return parseEnv(text);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's words would quote a secret.
    throw new Refused(`${file} is no JSON`);
  }
}
