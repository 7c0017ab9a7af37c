import { parseArgs } from "node:util";
import { messageOf } from "../../functions/lib/errors/message-of.ts";
import { environmentNames, VALUES } from "./config.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { Refused } from "./wrangler.ts";

const USAGE = "npm run deploy -- <environment> [--init | --rollback | --dry-run] [--secrets-file FILE]";

export const HELP = `Usage: ${USAGE}

  --init               asks for what the first deploy needs, makes the rest and deploys; may be repeated
  --rollback           goes back to the Worker before the present one
  --dry-run            shows the plan and builds the bundles; changes nothing
  --secrets-file FILE  sets the Worker's secrets; --init writes them there

Environments stand in wrangler.toml, under env, and your own values in ${VALUES}. The steps stand in workers/deploy/README.md.`;

export interface Asked {
  environment: Environment;
  dryRun: boolean;
  /** Creates everything that the first deploy needs. */
  init: boolean;
  /** Restores the previous Worker. */
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
    // Node adds a hint about positional arguments, of which this program has but one.
    const [words = ""] = messageOf(error).split(". To specify");
    throw new Refused(words, USAGE);
  }
}
