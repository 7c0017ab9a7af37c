import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readArguments, refuseUnread } from "../../workers/admin/arguments.ts";
import { PROJECT_DIR } from "../support/structure.ts";

const refuse = (line: string, ...more: string[]) => refuseUnread(readArguments(line.split(" ")), more);

const PROGRAM = join(PROJECT_DIR, "workers/admin/main.ts");

test("a reader that leaves before the end is no failure", async () => {
  const command = spawn(process.execPath, [PROGRAM, "--help"]);
  command.stdout.destroy();
  const said = text(command.stderr);
  expect(await once(command, "exit")).toEqual([0, null]);
  expect(await said).toBe("");
});

test("an option that the command does not read ends it before it does anything", () => {
  const words = [PROGRAM, "mail", "drop", "--user", "ana"];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect(status).toBe(2);
  expect(stderr).toContain("mail drop takes no --user\n\n  mail drop      [--id N]");
});

test.each([
  "backup --from /mnt/backup",
  "restore --to /srv",
  "job drop --track 1 --id 1",
  "mail drop --username ana",
  "rotate METRICS_TOKEN --revoke",
  "check --verify",
])("refused: %s", (line) => {
  expect(() => refuse(line)).toThrow(/takes no --/);
});

test.each([
  "backup --to /mnt/backup --keep 3 --verify --json",
  "restore --at NAME --verify",
  "dead-letter retry --id 1 --env production",
  "picture remove --set 5",
  "user suspend --username ana",
  "service --timer --user sound",
  "rotate JWT_KEYS --revoke",
  "incident open --title T --text T --part database --begins now",
])("taken: %s", (line) => {
  refuse(line);
  refuse(`${line} --reason R`, "reason");
});
