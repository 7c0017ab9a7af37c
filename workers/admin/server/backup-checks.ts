import { connect } from "../../local/stack/own-database.ts";
import type { StackRecord } from "../../local/stack/record.ts";
import type { Settings } from "../../local/stack/settings.ts";
import { adviceOnBackups } from "../backup/generations.ts";
import { about, type Finding } from "./finding.ts";

/** Looks at the directory for backups: whose it is, and whether the running server's log reaches it. */
export async function* backupChecks(
  { dataDir, backupDir, database }: Pick<Settings, "dataDir" | "backupDir" | "database">,
  running: StackRecord | undefined,
): AsyncGenerator<Finding> {
  const { ok, wrong } = about("backup");
  if (!backupDir || database) return;
  const [advice] = adviceOnBackups(dataDir, backupDir);
  if (advice) return yield wrong(advice);
  if (!running) return;
  // Another check tells of a database that does not answer.
  const owner = await connect(running.databaseUrl).catch(() => undefined);
  if (!owner) return;
  try {
    const { rows } = await owner.query<{ failed_at: Date | null }>(
      `SELECT last_failed_time AS failed_at FROM pg_stat_archiver
       WHERE last_failed_time > coalesce(last_archived_time, '-infinity')`,
    );
    const [failure] = rows;
    yield failure
      ? wrong(
          `the log does not reach ${backupDir} and fills the disk of DATA_DIR, as of ${failure.failed_at?.toISOString()}: make room there, or see DATA_DIR/logs/postgres.log`,
        )
      : ok(`the log reaches ${backupDir}`);
  } finally {
    await owner.end();
  }
}
