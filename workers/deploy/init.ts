import { randomBytes } from "node:crypto";
import { resolveTxt } from "node:dns/promises";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { newJwtKeys, newKey } from "../new-keys.ts";
import { ACCOUNT_QUESTION, type Ask } from "./ask.ts";
import { prepareBuckets } from "./buckets.ts";
import { EXAMPLE_ACCOUNT, EXAMPLE_DOMAIN, saveValues, VALUES } from "./config.ts";
import {
  hasServiceRole,
  makeServiceRole,
  newServiceAddress,
  requireDatabase,
  serviceAddressFaults,
  verifiedAddress,
} from "./database.ts";
import { type Environment, nameAccount, placeholders, readEnvironment } from "./environment.ts";
import { prepareQueues } from "./queues.ts";
import { makeStorageToken } from "./storage-token.ts";
import { PROJECT_DIR, Refused } from "./wrangler.ts";

const Secrets = z.record(z.string(), z.string());
type Secrets = z.infer<typeof Secrets>;

interface Init {
  environment: Environment;
  secretsFile: string;
  ask: Ask;
  log: (line: string) => void;
}

/** The first deploy keeps its secrets in it. Git ignores the folder. */
export const secretsFileOf = (environment: string) => join(PROJECT_DIR, `.data/secrets.${environment}.json`);

/**
 * Makes everything that the first deploy needs. Each step keeps what an earlier run has made, so it can be repeated
 * after any failure. Returns the environment as it is then.
 */
export async function init({ environment, secretsFile, ask, log }: Init): Promise<Environment> {
  const into = await fillIn(environment, ask, log);
  nameAccount(into);
  const given = await ask("MIGRATOR_DATABASE_URL", "The database owner's direct address, postgres://…", {
    unseen: true,
  });
  const owner = await requireDatabase(verifiedAddress(given));
  // Later steps read it there, as in any deploy.
  process.env.MIGRATOR_DATABASE_URL = owner;
  log("Database: reachable, new enough and direct");
  const secrets = readSecrets(secretsFile);
  const keep = (made: Secrets, line: string) => {
    Object.assign(secrets, made);
    writeSecrets(secretsFile, secrets);
    log(line);
  };
  const turnstile = await turnstileSecret(into, secrets, ask);
  const hasRole = await hasServiceRole(owner);
  // A new password for the role, or new keys, would cut off the running service.
  if (hasRole && !secrets.DATABASE_URL)
    throw new Refused(
      `This environment was set up elsewhere: bring its secrets to ${secretsFile}`,
      "If no service signs in to the database as soundpost_app, drop that role instead",
    );
  const address = secrets.DATABASE_URL ?? newServiceAddress(owner);
  const faults = serviceAddressFaults(address, owner);
  if (faults.length) throw new Refused(...faults, `See ${secretsFile}`);
  if (!hasRole) {
    // Saves the address first. A role whose password is lost looks like that of a running service.
    keep({ DATABASE_URL: address }, "Role soundpost_app: gets a password of its own");
    await makeServiceRole(owner, address);
  }
  const missing = Object.entries({ ...(await newKeys()), ...turnstile }).filter(([name]) => !secrets[name]);
  if (missing.length)
    keep(Object.fromEntries(missing), `Keys: ${missing.map(([name]) => name).join(", ")} are there`);
  await prepareBuckets(into);
  await prepareQueues(into);
  log("Buckets and queues: there");
  if (!secrets.S3_ACCESS_KEY_ID || !secrets.S3_SECRET_ACCESS_KEY) {
    const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
    const made = S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY && { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
    keep(made || (await makeStorageToken(into)), "R2 token: for the two buckets alone");
  }
  log(await mailDomainState(into));
  log(`Secrets: in ${secretsFile}. Keep a copy; sealed data cannot be read without SEAL_KEYS`);
  return into;
}

/** Asks for what stands in place of the examples, in all environments. */
async function fillIn(environment: Environment, ask: Ask, log: Init["log"]): Promise<Environment> {
  const left = placeholders(environment).join();
  const [needsDomain, needsAccount] = [left.includes(EXAMPLE_DOMAIN), left.includes(EXAMPLE_ACCOUNT)];
  if (!needsDomain && !needsAccount) return environment;
  const domain = needsDomain ? await ask("DOMAIN", `Your domain, in place of ${EXAMPLE_DOMAIN}`) : undefined;
  const account_id = needsAccount ? await ask("CLOUDFLARE_ACCOUNT_ID", ACCOUNT_QUESTION) : undefined;
  saveValues({ domain, account_id });
  log(`${VALUES}: keeps your domain and account`);
  return readEnvironment(environment.environment);
}

/** Asks only for that of a widget that the environment names. */
async function turnstileSecret({ vars }: Environment, secrets: Secrets, ask: Ask): Promise<Secrets> {
  const widget = vars.TURNSTILE_SITE_KEY;
  if (!widget || secrets.TURNSTILE_SECRET) return {};
  const question = `The secret key of the Turnstile widget ${widget}`;
  return { TURNSTILE_SECRET: await ask("TURNSTILE_SECRET", question, { unseen: true }) };
}

const newKeys = async (): Promise<Secrets> => ({
  JWT_KEYS: await newJwtKeys(),
  SIGNING_KEYS: newKey(),
  SEAL_KEYS: newKey(),
  METRICS_TOKEN: randomBytes(24).toString("base64url"),
  CONNECTION_SERVICES: "{}",
});

function readSecrets(file: string): Secrets {
  try {
    return existsSync(file) ? Secrets.parse(JSON.parse(readFileSync(file, "utf8"))) : {};
  } catch {
    throw new Refused(`${file} is no JSON object of texts: repair it, or move it away to begin anew`);
  }
}

/** Saves after each step, so that neither a later failure nor a kill loses a key. */
function writeSecrets(file: string, secrets: Secrets): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.draft`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** Mail is no reason to refuse a deploy: mails wait in their queue until the domain is ready. */
async function mailDomainState({ vars }: Environment): Promise<string> {
  const [, domain = ""] = /@([^>\s]+)/.exec(vars.MAIL_FROM ?? "") ?? [];
  const texts = await resolveTxt(domain).catch(() => []);
  const isSender = texts.some((parts) => parts.join("").startsWith("v=spf1"));
  return isSender
    ? `Mail: ${domain} has an SPF record. See that Email Sending is on for it: npx wrangler email sending settings ${domain}`
    : `Mail: ${domain} has no SPF record yet. Until Email Sending is on for it, mails wait: npx wrangler email sending enable ${domain}`;
}
