import { randomBytes } from "node:crypto";
import pg from "pg";
import { newClient } from "../../db/connection.ts";
import { messageOf } from "../../functions/lib/errors/message-of.ts";
import { Refused } from "./wrangler.ts";

const OLDEST_MAJOR = 17;
const SERVICE_ROLE = "soundpost_app";

/** Returns the reasons why migrations cannot run from this address, a line each. */
export async function databaseFaults(url: string | undefined): Promise<string[]> {
  if (!url) return ["MIGRATOR_DATABASE_URL is not set: the database owner's address, for the migrations"];
  if (!URL.canParse(url)) return ["MIGRATOR_DATABASE_URL is not an address (postgres://…)"];
  // Migrations run under a session lock, which a pooler would not preserve.
  if (isPooled(url))
    return ["MIGRATOR_DATABASE_URL leads through the pooler: take the direct address, without -pooler"];
  try {
    return await connected(url, async (client) => {
      const { rows } = await client.query("SELECT current_setting('server_version_num')::integer AS version");
      return versionFaults(rows[0].version);
    });
  } catch (error) {
    return [`MIGRATOR_DATABASE_URL: ${messageOf(error)}`];
  }
}

/** Returns the fault of a version, as PostgreSQL numbers it: 150014 is 15.14. */
export function versionFaults(version: number): string[] {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_MAJOR) return [];
  return [`The database is PostgreSQL ${major}; the functions need ${OLDEST_MAJOR} or newer`];
}

/** Migrations grant rights as they create tables. A role created later would miss them. */
export const hasServiceRole = (url: string): Promise<boolean> =>
  connected(url, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [SERVICE_ROLE]);
    return Boolean(rowCount);
  });

/** Returns an address for the service's role, with a new password. Neon's HTTP takes the direct host as well as the pooled one. */
export function newServiceAddress(owner: string): string {
  const address = new URL(owner);
  address.username = SERVICE_ROLE;
  address.password = randomBytes(24).toString("base64url");
  return address.href;
}

/** Creates the service's role with the name and password of its address. */
export const makeServiceRole = (owner: string, service: string): Promise<void> =>
  connected(owner, async (client) => {
    const role = pg.escapeIdentifier(SERVICE_ROLE);
    const password = pg.escapeLiteral(decodeURIComponent(new URL(service).password));
    const statements = [
      `CREATE ROLE ${role} LOGIN PASSWORD ${password}`,
      `ALTER ROLE ${role} SET statement_timeout = '5s'`,
    ];
    await client.query(`BEGIN; ${statements.join("; ")}; COMMIT`).catch((error: Error) => {
      throw new Refused(
        `The database's owner cannot make the role ${SERVICE_ROLE}: ${error.message}`,
        "Give it CREATEROLE, or let a superuser make that role, with the password of DATABASE_URL, and run the same command again",
      );
    });
  });

/**
 * Returns the faults of the service's address compared with the owner's. Two different databases would pass every
 * other check.
 */
export function serviceAddressFaults(service: string, owner: string): string[] {
  if (!URL.canParse(service)) return ["DATABASE_URL is not an address (postgres://…)"];
  const [one, other] = [new URL(service), new URL(owner)];
  const faults: string[] = [];
  if (one.username !== SERVICE_ROLE) faults.push(`DATABASE_URL must be that of the role ${SERVICE_ROLE}`);
  if (direct(one.host) !== direct(other.host) || one.pathname !== other.pathname)
    faults.push("DATABASE_URL and MIGRATOR_DATABASE_URL are two different databases");
  return faults;
}

/**
 * Names the mode that `pg` uses anyway. It verifies certificates for these modes, but prints a nine-line warning
 * that a later version will not. Neon's addresses name `require`. With `uselibpqcompat` these modes mean less, so
 * they stay.
 */
export const verifiedAddress = (url: string): string =>
  /[?&]uselibpqcompat=true(?=&|$)/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");

const isPooled = (url: string) => new URL(url).hostname.includes("-pooler.");
const direct = (host: string) => host.replace("-pooler.", ".");

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Refuses if the database cannot take the migrations. */
export async function requireDatabase(url: string | undefined): Promise<string> {
  const faults = await databaseFaults(url);
  if (faults.length || !url) throw new Refused(...faults);
  return url;
}
