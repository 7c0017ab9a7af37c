import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { DatabaseUnreachable } from "../../db/faults.ts";
import { readArguments, USAGE, UsageError, usageOf } from "../../workers/admin/arguments.ts";
import { makeBackup } from "../../workers/admin/backup/backup.ts";
import { fileCommands } from "../../workers/admin/backup/backup-commands.ts";
import { commands } from "../../workers/admin/commands.ts";
import { databaseCommands } from "../../workers/admin/database/database-commands.ts";
import { deprecationCommands } from "../../workers/admin/deprecation-commands.ts";
import { explained } from "../../workers/admin/failures.ts";
import { incidentCommands } from "../../workers/admin/incident-commands.ts";
import { invitationCommands } from "../../workers/admin/invitation-commands.ts";
import { mailCommands } from "../../workers/admin/mail-commands.ts";
import { moderationCommands } from "../../workers/admin/moderation-commands.ts";
import { operationCommands } from "../../workers/admin/operation-commands.ts";
import { operatorCommands } from "../../workers/admin/operator-commands.ts";
import { quotaCommands } from "../../workers/admin/quota-commands.ts";
import { removalCommands } from "../../workers/admin/removal-commands.ts";
import { sandboxCommands } from "../../workers/admin/sandbox-commands.ts";
import { serverCommands } from "../../workers/admin/server/server-commands.ts";
import { openTarget } from "../../workers/admin/target.ts";
import type { StackRecord } from "../../workers/local/stack/record.ts";

const words = (error: unknown) => explained(error, undefined).words;

test("a missing or unknown option names the lines of the command, not the whole manual", () => {
  const given = readArguments(["user", "suspend", "--user", "ana", "--reason", " "]);
  expect(() => given.required("reason")).toThrow(/^--reason is missing\n\n {2}user suspend .*\n\n--help/);
  expect(() => readArguments(["job", "drop", "--bogus"])).toThrow(/'--bogus'\n\n {2}job retry\|drop .*\n\n/);
  expect(() => readArguments(["quota", "set", "--bytes", "-5"])).toThrow(/\n {2}quota set/);
  expect(usageOf("incident open")).toMatch(/^ {2}incident open .*\n {18}P is database,.*\n\n/);
});

test.each([
  ["help", USAGE],
  ["--help", USAGE],
  ["help quota", usageOf("quota")],
  ["quota set --help", usageOf("quota set")],
])("`%s` is no failure, and shows the command that it names", (typed, shown) => {
  const given = readArguments(typed.split(" "));
  expect(given.flag("help")).toBe(true);
  expect(usageOf(given.command)).toBe(shown);
});

test("the usage lists every command and no other, and its options are read", () => {
  const listed = Array.from(USAGE.matchAll(/^ {2}([\w-]+)(?: (\w[\w|-]*))?/gm), ([, noun, verbs]) =>
    verbs ? verbs.split("|").map((verb) => `${noun} ${verb}`) : [noun],
  ).flat();
  const known = Object.keys({
    ...commands,
    ...deprecationCommands,
    ...incidentCommands,
    ...invitationCommands,
    ...mailCommands,
    ...moderationCommands,
    ...operationCommands,
    ...operatorCommands,
    ...quotaCommands,
    ...removalCommands,
    ...sandboxCommands,
    ...serverCommands,
    ...databaseCommands,
    ...fileCommands,
  });
  expect(listed.sort()).toEqual(known.sort());
  for (const [option] of USAGE.matchAll(/--\w[\w-]*/g))
    expect(() => readArguments([option, "a"]), option).not.toThrow();
});

test("errors are sentences that say what to do; only LOG=verbose shows where they happened", async () => {
  const unreachable = new DatabaseUnreachable(new Error("refused"));
  expect(words(unreachable)).toMatch(/admin -- check/);
  expect(explained(new UsageError("--to is missing"))).toEqual({ words: "--to is missing", code: 2 });
  expect(words(new TypeError("it broke"))).toBe("it broke");
  expect(explained(new TypeError("it broke"), "verbose").words).toContain("admin-failures.test.ts");
});

test("a full disk is named, though the write that failed names no file", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  expect(words(full)).toMatch(/^A file was not written: the disk is full\. Mend that/);
});

test.each(["/dev/null/x", "/proc/x"])("a backup into %s says why it cannot be", async (to) => {
  const failed = await makeBackup({ dataDir: "/nowhere", to, keep: 1, running: undefined }).catch(words);
  expect(failed).toMatch(new RegExp(`^${to}.* cannot be used: .*name another directory$`));
});

test("a backup gives up on a database that does not answer", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const running: StackRecord = JSON.parse(`{"databaseUrl":"postgres://owner@127.0.0.1:${port}/soundpost"}`);
  const to = mkdtempSync(join(tmpdir(), "soundpost-backup-"));
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const failed = makeBackup({ dataDir: "/nowhere", to, keep: 1, running }).catch(words);
    await once(silent, "connection");
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await failed).toMatch(/^The database at 127\.0\.0\.1:\d+ refuses: timeout expired/);
  } finally {
    vi.useRealTimers();
    silent.close();
    rmSync(to, { recursive: true });
  }
});

test("an environment that does not exist is refused before its secrets are asked for", async () => {
  for (const name of ["nowhere", ""])
    await expect(openTarget(name)).rejects.toThrow(
      `--env is one of staging, production, sandbox, not "${name}"`,
    );
  await expect(openTarget("staging")).rejects.toThrow("needs DATABASE_URL and JWT_KEYS");
});

test.each([
  ["audit list", ["--user", "ana", "--track", "1"], "Choose one of --user and --track"],
  ["report list", ["--state", "closed"], "--state is one of open, resolved, dismissed"],
  ["user find", ["--limit", "0"], "--limit must be from 1 to 1000"],
])("%s %j is refused", async (command, args, sentence) => {
  const target = {} as Parameters<NonNullable<(typeof moderationCommands)[string]>>[0];
  await expect(moderationCommands[command]?.(target, readArguments(args))).rejects.toThrow(sentence);
});
