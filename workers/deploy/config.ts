import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { messageOf } from "../../functions/lib/errors/message-of.ts";
import { isTable, laidOver, type Table } from "./lay-over.ts";
import { CONFIG, PROJECT_DIR, Refused } from "./wrangler.ts";

/** The operator's own values. Git ignores the folder, so that no pull conflicts with them. */
export const VALUES = ".data/deploy.toml";

const COMMITTED = join(PROJECT_DIR, "wrangler.toml");
const VALUES_FILE = join(PROJECT_DIR, VALUES);

export const EXAMPLE_DOMAIN = "soundpost.example";
export const EXAMPLE_ACCOUNT = "ACCOUNT_ID";

const PREFACE = `# This deployment's own values, which npm run deploy lays over wrangler.toml. Whatever stands there may stand here, such as
#   [env.production.vars]
#   SITE_NAME = "Radio Ana"
`;

/** `domain` is ours; all else has wrangler's names. */
interface Values extends Table {
  domain?: string;
  account_id?: string;
}

/** Writes the configuration that wrangler is started with: the committed one, with the operator's values laid over it. */
export function writeConfig(): string {
  const committed = tableIn(COMMITTED);
  const { domain, ...values } = existsSync(VALUES_FILE) ? valuesFor(committed) : ({} as Values);
  const own = JSON.stringify(laidOver(committed, values));
  const config = withFixes(JSON.parse(filledIn(own, { domain, account_id: values.account_id })), new Date());
  // Another command may read it meanwhile.
  const draft = `${CONFIG}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(config, null, 2)}\n`);
  renameSync(draft, CONFIG);
  return CONFIG;
}

/** Names the environments, which the committed file has whatever an operator changes. */
export const environmentNames = (): string[] => environmentsOf(tableIn(COMMITTED));

const environmentsOf = ({ env }: Table): string[] => Object.keys(isTable(env) ? env : {});

function valuesFor(committed: Table): Values {
  const values = tableIn(VALUES_FILE);
  const known = environmentsOf(committed);
  const unknown = environmentsOf(values).filter((name) => !known.includes(name));
  if (unknown.length)
    throw new Refused(`${VALUES}: no environment ${unknown.join(", ")}; there are ${known.join(", ")}`);
  for (const key of ["domain", "account_id"])
    if (!["string", "undefined"].includes(typeof values[key]))
      throw new Refused(`${VALUES}: ${key} is a text`);
  return values;
}

function tableIn(file: string): Table {
  try {
    return { ...experimental_readRawConfig({ config: file }).rawConfig };
  } catch (error) {
    throw new Refused(`${file} cannot be read: ${messageOf(error)}`);
  }
}

/** Puts the operator's domain and account in place of the examples. Refuses what cannot be one. */
export function filledIn(
  config: string,
  { domain, account_id }: Pick<Values, "domain" | "account_id">,
): string {
  if (domain !== undefined && !/^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domain))
    throw new Refused(`DOMAIN must be like example.com, not ${domain}`);
  if (account_id !== undefined && !/^[0-9a-f]{32}$/.test(account_id))
    throw new Refused("CLOUDFLARE_ACCOUNT_ID must have 32 digits and letters from a to f");
  return config
    .replaceAll(EXAMPLE_DOMAIN, domain ?? EXAMPLE_DOMAIN)
    .replaceAll(EXAMPLE_ACCOUNT, account_id ?? EXAMPLE_ACCOUNT);
}

/** Keeps the operator's domain and account, before whatever the file says already. */
export function saveValues(values: Pick<Values, "domain" | "account_id">): void {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  // Nothing that cannot be one is kept.
  filledIn("", values);
  const said = existsSync(VALUES_FILE) ? readFileSync(VALUES_FILE, "utf8") : PREFACE;
  const lines = given.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join("");
  mkdirSync(dirname(VALUES_FILE), { recursive: true, mode: 0o700 });
  const draft = `${VALUES_FILE}.draft`;
  writeFileSync(draft, lines + said);
  renameSync(draft, VALUES_FILE);
}

/** Dates the images that are built, so that Debian's fixes of the day come in place of cached layers. */
function withFixes(config: Table, now: Date): Table {
  const image_vars = { FIXES_OF: now.toISOString().slice(0, 10) };
  const dated = environmentsOf(config).map((name) => {
    const { containers = [] } = (config.env as Record<string, { containers?: Table[] }>)[name] ?? {};
    return [name, { containers: containers.map(({ class_name }) => ({ class_name, image_vars })) }];
  });
  return laidOver(config, { env: Object.fromEntries(dated) }) as Table;
}
