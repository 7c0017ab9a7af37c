import { join } from "node:path";
import { type Installation, installationFor } from "../../local/postgres/installations.ts";
import { connect } from "../../local/stack/own-database.ts";
import type { StackRecord } from "../../local/stack/record.ts";
import type { Settings } from "../../local/stack/settings.ts";
import { findFfmpeg } from "../../transcoder/ffmpeg.ts";
import { about, type Finding, reasonOf } from "./finding.ts";
import { KNOWN_ON, newerThan, type Program } from "./newest-releases.ts";
import { PACKAGED_NODE } from "./service.ts";
import { nodeVersion, systemNode } from "./system-node.ts";

const { ok, warning, wrong } = about("versions");

/** Compares the database's server, Node and ffmpeg with the newest patch releases of their lines. */
export async function* versionChecks(
  settings: Settings,
  running: StackRecord | undefined,
  ffmpegPath: string | undefined,
): AsyncGenerator<Finding> {
  yield* await postgresCheck(settings, running);
  yield nodeCheck(running);
  const ffmpeg = await findFfmpeg(ffmpegPath).catch(() => undefined);
  if (ffmpeg)
    yield released(
      "ffmpeg",
      ffmpeg.version,
      ffmpeg.source === "env" ? "replace what FFMPEG_PATH names" : upgradeOf("ffmpeg"),
    );
}

/** Judges one version. `remedy` says how its next release comes. */
export function released(program: Program, version: string, remedy: string): Finding {
  const newer = newerThan(program, version);
  const named = `${program} ${version}`;
  return newer ? warning(`${named} lags behind ${newer} (known on ${KNOWN_ON}): ${remedy}`) : ok(named);
}

const upgradeOf = (name: string) => `sudo apt-get update && sudo apt-get install --only-upgrade ${name}`;

async function postgresCheck(settings: Settings, running: StackRecord | undefined): Promise<Finding[]> {
  const { database, dataDir, postgresBin, server } = settings;
  try {
    if (database)
      return [
        released("PostgreSQL", await serverVersion(database.ownerUrl), "upgrade the server of DATABASE_URL"),
      ];
    const choice = { named: postgresBin, isPublic: server.isPublic };
    // Without an account nothing is copied for one.
    const installed = installationFor(join(dataDir, "postgres"), undefined, choice);
    const version = running ? await serverVersion(running.databaseUrl) : installed.version;
    return [released("PostgreSQL", version, remedyFor(installed))];
  } catch (error) {
    // `databaseChecks` tells of a server that does not answer.
    return database || running ? [] : [wrong(reasonOf(error))];
  }
}

const remedyFor = ({ source, major }: Installation): string =>
  ({
    named: "replace what POSTGRES_BIN names",
    system: `${upgradeOf(`postgresql-${major}`)}, and restart the service`,
    embedded: "install your system's PostgreSQL, and move to it by npm run -s admin -- upgrade-database",
  })[source];

async function serverVersion(url: string): Promise<string> {
  const client = await connect(url);
  try {
    const { rows } = await client.query(
      "SELECT split_part(current_setting('server_version'), ' ', 1) AS version",
    );
    return rows[0].version;
  } finally {
    await client.end();
  }
}

/** Looks at the Node that runs the service, or that its unit would start. */
function nodeCheck(running: StackRecord | undefined): Finding {
  const ofSystem = systemNode();
  const version = nodeVersion(running ? `/proc/${running.pid}/exe` : (ofSystem ?? PACKAGED_NODE));
  const remedy = ofSystem
    ? `${upgradeOf("nodejs")}, and write the unit anew: npm run -s admin -- service --unit`
    : "install Node 22, 24 or 26 on the system, and write the unit anew: npm run -s admin -- service --unit";
  return released("Node", version, remedy);
}
