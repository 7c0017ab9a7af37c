import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { archiveSettings } from "../../workers/local/postgres/archive.ts";

test("a BACKUP_DIR that cannot be made ends the start with a sentence, and not with a start that never ends", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-archive-"));
  expect(() => archiveSettings(dataDir, "/proc/nowhere/backup")).toThrow(
    "/proc/nowhere cannot be used: a part of the path is not there, and cannot be made. Mend that, or name another directory in BACKUP_DIR",
  );
  rmSync(dataDir, { recursive: true });
});
