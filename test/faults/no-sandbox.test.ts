import { expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { sandboxCommands } from "../../workers/admin/sandbox-commands.ts";
import { deployedTarget } from "../../workers/admin/target.ts";
import { runCron, sql, workerLog } from "../support/stack.ts";

test("a Worker not set up as a sandbox refuses, whatever the database's marker", async () => {
  const outcomes = () =>
    workerLog().flatMap(({ event, outcome }) => (event === "sandbox_reset" ? [outcome] : []));
  await sql("insert into sandbox.marker default values");
  await runCron("0 4 * * *");
  await sql("delete from sandbox.marker");
  await expect.poll(outcomes).toEqual(["no_sandbox"]);
});

test("operators' commands act on a sandbox environment only", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://nobody:none@db.example/none");
  vi.stubEnv("JWT_KEYS", "{}");
  const environments = await Promise.all(["production", "staging", "sandbox"].map(deployedTarget));
  vi.unstubAllEnvs();
  expect(environments.map(({ sandbox }) => sandbox)).toEqual([false, false, true]);
  for (const target of environments.slice(0, 2))
    await expect(sandboxCommands["sandbox restore"]?.(target, readArguments([]))).rejects.toThrow(
      "no sandbox",
    );
});
