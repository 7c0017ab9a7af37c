import { parseArgs } from "node:util";
import { type Environment, environmentNames, readEnvironment } from "./environment.ts";
import { Refused } from "./wrangler.ts";

const USAGE = "npm run deploy -- <environment> [--dry-run] [--secrets-file FILE]";

export interface Asked {
  environment: Environment;
  dryRun: boolean;
  secretsFile?: string;
}

export function readArguments(args: string[]): Asked {
  const options = { "dry-run": { type: "boolean" }, "secrets-file": { type: "string" } } as const;
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }));
  const known = environmentNames();
  const [name, ...more] = positionals;
  if (!name || more.length) throw new Refused(USAGE, `Environments: ${known.join(", ")}`);
  if (!known.includes(name)) throw new Refused(`No environment ${name}; there are ${known.join(", ")}`);
  const secretsFile = values["secrets-file"];
  return { environment: readEnvironment(name), dryRun: values["dry-run"] ?? false, secretsFile };
}

function parsed<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new Refused(error instanceof Error ? error.message : String(error), USAGE);
  }
}
