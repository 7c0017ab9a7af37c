import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inheritedFrom } from "../stack/inherited.ts";
import type { Account } from "./account.ts";

export const OWNER_ROLE = "soundpost_owner";
export const APP_ROLE = "soundpost_app";
export const DATABASE = "soundpost";

/** The address of a cluster's database. A shell's PGSSLMODE is for databases elsewhere: this one speaks no TLS. */
export const databaseUrl = (role: string, password: string, port: number): string =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${DATABASE}?sslmode=disable`;

/**
 * `password`, not scram: the Neon driver sends the password with its first message. It stays on this machine.
 */
const HOST_BASED_AUTHENTICATION = "host all,replication all 127.0.0.1/32 password\n";

export type RolePasswords = { owner: string; app: string };

/** `programs` is the directory of `postgres` and `initdb`. */
export type Cluster = { programs: string; directory: string; account: Account | undefined };

/** Creates the database in a draft directory and renames it, so that it appears whole or never. */
export function createCluster({ programs, directory, account }: Cluster, passwords: RolePasswords): void {
  if (existsSync(join(directory, "PG_VERSION"))) return;
  const draft = `${directory}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (account) chownSync(draft, account.uid, account.gid);
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  run({ programs, account }, "initdb", [
    "-D",
    draft,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    ...locale,
  ]);
  writeFileSync(join(draft, "pg_hba.conf"), HOST_BASED_AUTHENTICATION);
  runAsSuperuser({ programs, directory: draft, account }, rolesAndDatabase(passwords));
  renameSync(draft, directory);
}

/** Present once the roles are set up as below, which clusters of older versions lack. */
const SET_UP = "soundpost-roles-set-up";

/** Gives the roles what only the superuser may, once. */
export function setUpRoles({ programs, directory, account }: Cluster): void {
  const mark = join(directory, SET_UP);
  if (existsSync(mark)) return;
  runAsSuperuser({ programs, directory, account }, ROLES_SET_UP);
  writeFileSync(mark, "");
  if (account) chownSync(mark, account.uid, account.gid);
}

/**
 * The owner may copy the running server, in the database `postgres`. Errors of statements are logged without details, which
 * quote rows: addresses, names, hashes. The server's own, such as why it does not start, keep theirs.
 */
const ROLES_SET_UP = `
ALTER ROLE ${OWNER_ROLE} REPLICATION;
GRANT EXECUTE ON FUNCTION pg_backup_start(text, boolean) TO ${OWNER_ROLE};
GRANT EXECUTE ON FUNCTION pg_backup_stop(boolean) TO ${OWNER_ROLE};
ALTER ROLE ${OWNER_ROLE} SET log_error_verbosity = 'terse';
ALTER ROLE ${APP_ROLE} SET log_error_verbosity = 'terse';
`;

/**
 * Single-user mode: the superuser has no password and nobody can sign in as it. One command per line. Without
 * `exit_on_error` it goes on after a command that a full disk or Ctrl-C ended, and ends with status 0. The
 * message of an error leaves the command out, which may hold a password.
 */
function runAsSuperuser({ programs, directory, account }: Cluster, commands: string): void {
  const settings = ["log_min_messages=fatal", "log_min_error_statement=panic", "exit_on_error=on"].flatMap(
    (setting) => ["-c", setting],
  );
  const args = ["--single", ...settings, "-D", directory, "postgres"];
  run({ programs, account }, "postgres", args, commands);
}

function run(
  { programs, account }: Pick<Cluster, "programs" | "account">,
  program: string,
  args: string[],
  input?: string,
): void {
  const options = { ...account, cwd: "/", env: inheritedFrom(process.env), input, encoding: "utf8" as const };
  const result = spawnSync(join(programs, program), args, options);
  if (result.status !== 0) throw new Error(`${program} failed: ${result.error?.message ?? result.stderr}`);
}

/** The owner may see and end other roles' statements, as tests and `npm run admin` do. */
const rolesAndDatabase = ({ owner, app }: RolePasswords) => `
CREATE ROLE ${OWNER_ROLE} LOGIN PASSWORD '${owner}';
CREATE ROLE ${APP_ROLE} LOGIN PASSWORD '${app}';
ALTER ROLE ${APP_ROLE} SET statement_timeout = '5s';
ALTER ROLE ${APP_ROLE} SET idle_in_transaction_session_timeout = '5s';
GRANT pg_monitor, pg_signal_backend TO ${OWNER_ROLE};
CREATE DATABASE ${DATABASE} OWNER ${OWNER_ROLE};
`;
