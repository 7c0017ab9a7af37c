import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { fileCommands } from "../../workers/admin/backup/backup-commands.ts";
import { localTarget } from "../../workers/admin/target.ts";
import { identityOf } from "../../workers/local/stack/processes.ts";
import { addressesFor, lockDataDir, writeRecord } from "../../workers/local/stack/record.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";
import { whenFree } from "../../workers/local/stack/when-free.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "soundpost-lock-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true });
});

test("a command is told to wait for another that starts or stops its stack", async () => {
  const first = await lockDataDir(dataDir);
  await expect(lockDataDir(dataDir)).rejects.toThrow("Another start or command is at work");
  first.release();
  (await lockDataDir(dataDir)).release();
});

test("commands, backups among them, do not use the stack of another command, which may end at any moment", async () => {
  vi.stubEnv("DATA_DIR", dataDir);
  const own = identityOf(process.pid) ?? expect.fail("This process has no identity");
  const addresses = addressesFor(1, 4, await keepSecrets(dataDir));
  writeRecord(dataDir, { ...own, ...addresses, started_at: "", children: {}, for_command: true });
  const refusal = `Another command (pid ${process.pid}) is at work`;
  await expect(localTarget()).rejects.toThrow(refusal);
  const backup = readArguments(["--to", join(dataDir, "backups")]);
  await expect(fileCommands.backup?.(backup)).rejects.toThrow(refusal);
});

test("a start waits for a command that holds the directory, says so once, and ends when it is asked to", async () => {
  const command = await lockDataDir(dataDir);
  const said: string[] = [];
  const waits = (why: string) => said.push(why);
  const waiting = whenFree(() => lockDataDir(dataDir), { waits });
  const given = new AbortController();
  const ended = whenFree(() => lockDataDir(dataDir), { waits: () => given.abort(), signal: given.signal });
  await expect(ended).rejects.toThrow("aborted");
  await expect.poll(() => said).toEqual([expect.stringContaining("Another start or command is at work")]);
  command.release();
  (await waiting).release();
  expect(said).toHaveLength(1);
});
