import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
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

test("a BACKUP_DIR that is read-only, as below a unit that does not name it, leads to another unit", ({
  skip,
}) => {
  const place = mkdtempSync(join(tmpdir(), "soundpost-archive-"));
  const backupDir = join(place, "backup");
  mkdirSync(backupDir);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", backupDir]);
  try {
    if (status !== 0) skip("only root can mount a disk");
    const says = /it is on a read-only file system\. If a unit of systemd runs the service, write it anew/;
    expect(() => archiveSettings(place, backupDir)).toThrow(says);
  } finally {
    if (status === 0) spawnSync("umount", [backupDir]);
    rmSync(place, { recursive: true });
  }
});
