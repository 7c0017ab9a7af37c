import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Account, mayRead } from "./account.ts";
import { postgresBinaries } from "./binaries.ts";

/** Migrations and functions use what PostgreSQL 17 brought. */
export const OLDEST_POSTGRES = 17;

/** Directories of Debian's versions, and of PostgreSQL's own packages for other systems. */
const SYSTEM = [
  { parent: "/usr/lib/postgresql", inside: "bin" },
  { parent: "/usr", inside: "bin", name: /^pgsql-/ },
];

/** PostgreSQL's programs on this machine. */
export type Installation = {
  /** The directory of `postgres` and `initdb`. */
  programs: string;
  version: string;
  major: number;
  source: "named" | "system" | "embedded";
};

/** Which PostgreSQL runs a data directory. */
export type PostgresChoice = {
  /** The directory that POSTGRES_BIN names. */
  named?: string | undefined;
  /** Prefers the system's, which gets its fixes in time. */
  isPublic?: boolean;
};

/** Finds the system's versions that serve, newest first. */
function systemInstallations(account: Account | undefined): Installation[] {
  const directories = SYSTEM.flatMap(({ parent, inside, name = /./ }) =>
    (existsSync(parent) ? readdirSync(parent) : [])
      .filter((one) => name.test(one))
      .map((one) => join(parent, one, inside)),
  );
  const all = [...directories, ...(process.env.PATH ?? "").split(delimiter)]
    .filter((directory) => ["postgres", "initdb"].every((program) => existsSync(join(directory, program))))
    .map((directory) => realpathSync(directory));
  return [...new Set(all)]
    .filter((directory) => !account || mayRead(join(directory, "postgres"), account))
    .flatMap((directory) => installation(directory, "system") ?? [])
    .filter(({ major }) => major >= OLDEST_POSTGRES)
    .sort((a, b) => b.version.localeCompare(a.version, "en", { numeric: true }));
}

function embeddedInstallation(account: Account | undefined): Installation {
  const programs = join(postgresBinaries(account), "bin");
  return installation(programs, "embedded") ?? fail(`${programs} holds no PostgreSQL that runs`);
}

export function namedInstallation(programs: string): Installation {
  const found = installation(programs, "named");
  if (!found || !existsSync(join(programs, "initdb")))
    return fail(
      `POSTGRES_BIN names ${programs}, where no postgres and initdb run. It is a directory such as /usr/lib/postgresql/17/bin`,
    );
  if (found.major < OLDEST_POSTGRES)
    fail(`POSTGRES_BIN names PostgreSQL ${found.version}. Soundpost needs ${OLDEST_POSTGRES} or newer`);
  return found;
}

/** Chooses for a new database. */
export function preferredInstallation(
  account: Account | undefined,
  { named, isPublic = false }: PostgresChoice,
): Installation {
  if (named) return namedInstallation(named);
  return (isPublic && systemInstallations(account)[0]) || embeddedInstallation(account);
}

/** Chooses for the database in a directory, whose files only their own major version may open. */
export function installationFor(
  directory: string,
  account: Account | undefined,
  choice: PostgresChoice,
): Installation {
  const made = majorOf(directory);
  const preferred = preferredInstallation(account, choice);
  if (made === undefined || preferred.major === made) return preferred;
  if (choice.named)
    return fail(
      `${directory} was made by PostgreSQL ${made}, and POSTGRES_BIN names ${preferred.version}: no version opens the ` +
        "files of another. Name the former, or move the data: npm run -s admin -- upgrade-database",
    );
  return installationOf(made, account) ?? fail(`${directory} was made by ${lacking(made)}`);
}

/** Finds programs of a major version, the system's first. */
export const installationOf = (major: number, account: Account | undefined): Installation | undefined =>
  [...systemInstallations(account), embeddedInstallation(account)].find((one) => one.major === major);

/** The end of a refusal, with what to do. */
const lacking = (major: number): string =>
  `PostgreSQL ${major}, whose programs are not on this machine. Install them, as by sudo apt-get install ` +
  `postgresql-${major}, or name their directory by POSTGRES_BIN. To move the data to another version: npm run -s admin -- upgrade-database --from DIRECTORY`;

/** Says what an operator's server would do better on. */
export function adviceOn({ source, version }: Installation, { isPublic = false }: PostgresChoice): string[] {
  if (!isPublic || source !== "embedded") return [];
  return [
    `PostgreSQL ${version} is the embedded one, for trying out: its fixes come late. Install your system's, ${OLDEST_POSTGRES} or newer, ` +
      "stop the service, and move the data to it: npm run -s admin -- upgrade-database",
  ];
}

/** Returns the major version that made a database. `undefined` if there is none. */
export function majorOf(directory: string): number | undefined {
  const file = join(directory, "PG_VERSION");
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
}

function installation(programs: string, source: Installation["source"]): Installation | undefined {
  try {
    const said = execFileSync(join(programs, "postgres"), ["--version"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [, version = "", major] = /\(PostgreSQL\) ((\d+)[.\w]*)/.exec(said) ?? [];
    return { programs, version, major: Number(major), source };
  } catch {
    return undefined;
  }
}

function fail(message: string): never {
  throw new Error(message);
}
