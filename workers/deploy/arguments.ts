import { parseArgs } from "node:util";
import { type Environment, environmentNames, readEnvironment } from "./environment.ts";
import { Refused } from "./wrangler.ts";

const USAGE = "npm run deploy -- <environment> [--init | --rollback] [--dry-run] [--secrets-file FILE]";

export interface Asked {
  environment: Environment;
  dryRun: boolean;
  /** Makes what the first deploy needs. */
  init: boolean;
  /** Goes back to the Worker before the present one. */
  rollback: boolean;
  secretsFile?: string;
}

const boolean = { type: "boolean" } as const;
const string = { type: "string" } as const;

export function readArguments(args: string[]): Asked {
  const options = { "dry-run": boolean, init: boolean, rollback: boolean, "secrets-file": string } as const;
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }));
  const known = environmentNames();
  const [name, ...more] = positionals;
  if (!name || more.length) throw new Refused(USAGE, `Environments: ${known.join(", ")}`);
  if (!known.includes(name)) throw new Refused(`No environment ${name}; there are ${known.join(", ")}`);
  const { "dry-run": dryRun = false, init = false, rollback = false } = values;
  if (Number(dryRun) + Number(init) + Number(rollback) > 1)
    throw new Refused("Choose one of --dry-run, --init and --rollback", USAGE);
  const environment = readEnvironment(name);
  return { environment, dryRun, init, rollback, secretsFile: values["secrets-file"] };
}

function parsed<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new Refused(error instanceof Error ? error.message : String(error), USAGE);
  }
}
