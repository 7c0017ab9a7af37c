import { openDatabase } from "../../db/client.ts";
import { readRunningStack } from "../local/stack/record.ts";
import { dataDirOf, readSettings } from "../local/stack/settings.ts";
import { UsageError } from "./arguments.ts";
import type { Target } from "./commands.ts";

/** A target, with the function that closes it. */
interface OpenTarget extends Target {
  close(): Promise<void>;
}

/** An empty name is a mistake, such as a variable that is not set, and never means the local stack. */
export const openTarget = (environment: string | undefined): Promise<OpenTarget> =>
  environment === undefined ? localTarget() : deployedTarget(environment);

/** Opens the stack that runs on DATA_DIR, or starts one for this call. */
export async function localTarget(): Promise<OpenTarget> {
  const dataDir = dataDirOf();
  const running = await readRunningStack(dataDir);
  if (running) return { ...stackTarget(running), close: async () => {} };
  const { startStack } = await import("../local/stack/stack.ts");
  const stack = await startStack({
    ...readSettings(),
    forCommand: true,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  return { ...stackTarget(stack), close: () => stack.stop() };
}

interface LocalStack {
  urls: { api: string; auth: string };
  appDatabaseUrl: string;
  proxyUrl: string;
  secrets: { JWT_KEYS: string };
}

export function stackTarget({ urls, appDatabaseUrl, proxyUrl, secrets }: LocalStack): Target {
  return {
    db: openDatabase({ DATABASE_URL: driverUrl(appDatabaseUrl, proxyUrl), DATABASE_PROXY_URL: proxyUrl }),
    issuer: { JWT_KEYS: secrets.JWT_KEYS, API_URL: urls.api, AUTH_URL: urls.auth },
    sandbox: true,
  };
}

/** The Neon driver requires a dot in the host and maps proxies by host. So each proxy gets its own host. */
function driverUrl(url: string, proxyUrl: string): string {
  const changed = new URL(url);
  changed.host = `db-${new URL(proxyUrl).port}.local`;
  changed.port = "";
  return changed.href;
}

export async function deployedTarget(environment: string): Promise<OpenTarget> {
  const { DATABASE_URL, JWT_KEYS } = process.env;
  const { vars } = await readEnvironment(environment);
  if (!DATABASE_URL || !JWT_KEYS) {
    throw new UsageError(
      `--env ${environment} needs DATABASE_URL and JWT_KEYS of that environment in your environment variables`,
    );
  }
  if (!URL.canParse(DATABASE_URL) || !/^postgres(?:ql)?:/.test(DATABASE_URL))
    throw new UsageError("DATABASE_URL must be an address such as postgres://user:password@host/database");
  const issuer = { JWT_KEYS, API_URL: String(vars.API_URL), AUTH_URL: String(vars.AUTH_URL) };
  const sandbox = vars.SANDBOX === "on";
  // The protocol of PostgreSQL itself, because not every environment's database speaks Neon's.
  const db = openDatabase({ DATABASE_URL, DATABASE_TRANSPORT: "pg" });
  return { db, issuer, sandbox, close: async () => {} };
}

/** Imports wrangler here, because that takes half a second and most commands do not need it. */
async function readEnvironment(environment: string) {
  const { unstable_readConfig } = await import("wrangler");
  const { environmentNames, writeConfig } = await import("../deploy/config.ts");
  const known = environmentNames();
  if (!known.includes(environment))
    throw new UsageError(`--env is one of ${known.join(", ")}, not "${environment}"`);
  return unstable_readConfig({ config: writeConfig(), env: environment });
}
