import { databaseFault } from "../../db/faults.ts";
import { explainFileError } from "../local/stack/data-dir.ts";
import { UsageError } from "./arguments.ts";

/** Messages for database faults that an operator can fix. */
const FAULTS: Partial<Record<string, string>> = {
  unavailable: "The database answers no questions at the moment. Nothing was changed; try again",
  rolled_back:
    "The database undid the change, because others changed the same. Nothing was changed; try again",
  late: "The database was too slow, and undid the change. Nothing was changed; try again",
  lost: "The connection to the database broke. Look whether the change was made before you repeat it",
  timeout: "The database did not end in time. Look whether the change was made before you repeat it",
};

const UNREACHABLE =
  "The database cannot be reached. `npm run -s admin -- check` looks at a local one; with --env, look at DATABASE_URL";

/** Returns the words and the exit code for an error. The stack is for those who ask for it by LOG=verbose. */
export function explained(error: unknown, log = process.env.LOG): { words: string; code: number } {
  if (error instanceof UsageError) return { words: error.message, code: 2 };
  const stack = log === "verbose" && error instanceof Error ? `\n${error.stack}` : "";
  return { words: `${wordsFor(error)}${stack}`, code: 1 };
}

function wordsFor(error: unknown): string {
  if ((error as Error | undefined)?.name === "DatabaseUnreachable") return UNREACHABLE;
  const fault = databaseFault(error);
  const cause = fault && causeOf(error);
  if (fault) return `${FAULTS[fault.kind] ?? "The database refused"}${cause ? `: ${cause}` : ""}`;
  return explainFileError(error, "Mend that, or name another directory").message;
}

/** The innermost error has the server's own message. */
function causeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return causeOf(error.cause) ?? error.message;
}
