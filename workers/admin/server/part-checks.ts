import { connect as connectTo } from "node:net";
import { unappliedMigrations } from "../../../db/migrate.ts";
import { connect, databaseFaults } from "../../local/stack/own-database.ts";
import { bucketFaults, corsFaults } from "../../local/stack/own-storage.ts";
import type { StackRecord } from "../../local/stack/record.ts";
import type { Settings } from "../../local/stack/settings.ts";
import { findFfmpeg } from "../../transcoder/ffmpeg.ts";
import { about, type Finding, reasonOf } from "./finding.ts";

const PATIENCE_MS = 10_000;
/** Milliseconds. Storage refuses signatures a quarter of an hour off; tokens and leases suffer sooner. */
const MAX_SKEW_MS = 5_000;

/** Looks at the database, and at the clock, which it compares with the database's. */
export async function* databaseChecks(
  { database }: Settings,
  running: StackRecord | undefined,
): AsyncGenerator<Finding> {
  const { ok, warning, wrong } = about("database");
  const url = database?.ownerUrl ?? running?.databaseUrl;
  if (!url) return yield ok("in DATA_DIR, and starts with the service");
  try {
    const owner = await connect(url);
    try {
      const faults = await databaseFaults(owner);
      for (const fault of faults) yield wrong(fault);
      if (faults.length) return;
      const { rows } = await owner.query<{ version: string; now: Date }>(
        "SELECT current_setting('server_version') AS version, clock_timestamp() AS now",
      );
      const [{ version, now } = { version: "", now: new Date() }] = rows;
      yield ok(`${database ? "yours" : "in DATA_DIR"}, PostgreSQL ${version}`);
      const waiting = await unappliedMigrations(owner);
      if (waiting.length)
        yield warning(`${waiting.length} migrations wait for the next start: ${waiting[0]} …`);
      if (database) yield clockCheck(now);
    } finally {
      await owner.end();
    }
  } catch (error) {
    const remedy = database ? "See DATABASE_URL" : "Start the service again, and read its log";
    yield wrong(`${new URL(url).host} cannot be used: ${reasonOf(error)}. ${remedy}`);
  }
}

function clockCheck(theirs: Date): Finding {
  const { ok, wrong } = about("clock");
  const offMs = Date.now() - theirs.getTime();
  if (Math.abs(offMs) <= MAX_SKEW_MS) return ok("agrees with the database's");
  return wrong(`is ${Math.round(Math.abs(offMs) / 1000)} s off the database's: run a time service on both`);
}

export async function* storageChecks({ storage, server }: Settings): AsyncGenerator<Finding> {
  const { ok, warning, wrong } = about("storage");
  if (!storage) return yield ok("embedded, in DATA_DIR/objects");
  const faults = await bucketFaults(storage);
  for (const fault of faults) yield wrong(fault);
  if (faults.length) return;
  yield ok(`yours, at ${storage.S3_ENDPOINT}`);
  for (const fault of await corsFaults(storage, server.urls.web)) yield warning(fault);
}

/** Checks only whether the server listens. Only a delivered mail would test the rest. */
export async function mailCheck(smtpUrl: string | undefined, { server }: Settings): Promise<Finding> {
  const { ok, warning, wrong } = about("mail");
  if (!smtpUrl)
    return server.isPublic
      ? warning("SMTP_URL is not set: mails are kept in DATA_DIR/mail, and nobody can confirm an address")
      : ok("kept in DATA_DIR/mail, and shown at /dev/mail");
  if (!URL.canParse(smtpUrl))
    return wrong("SMTP_URL must be an address such as smtp://user:password@host:587");
  const { hostname, port, protocol } = new URL(smtpUrl);
  const at = Number(port || (protocol === "smtps:" ? 465 : 587));
  return new Promise((resolve) => {
    const socket = connectTo({ host: hostname, port: at });
    const end = (finding: Finding) => {
      socket.destroy();
      resolve(finding);
    };
    socket.setTimeout(PATIENCE_MS, () => end(wrong(`${hostname}:${at} does not answer`)));
    socket.once("error", (error) => end(wrong(`${hostname}:${at} does not answer: ${reasonOf(error)}`)));
    socket.once("connect", () => end(ok(`${hostname}:${at} listens`)));
  });
}

export async function ffmpegCheck(chosen: string | undefined): Promise<Finding> {
  const { ok, wrong } = about("ffmpeg");
  try {
    const { path, version } = await findFfmpeg(chosen);
    return ok(`${version}, ${path}`);
  } catch (error) {
    return wrong(chosen ? `FFMPEG_PATH does not run: ${reasonOf(error)}` : reasonOf(error));
  }
}
