import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePorts } from "../../workers/local/ports.ts";
import { startStack } from "../../workers/local/stack.ts";
import { openControl } from "./stack-control.ts";

/** One stack for all tests of the project, on ports of its own, in a directory that goes with it. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-test-"));
  const lines: string[] = [];
  const log = (line: string) => (process.env.LOG === "verbose" ? console.error(line) : lines.push(line));
  try {
    const stack = await startStack({
      port: await freePorts(3),
      dataDir,
      log,
      // Budgets are settings, and none is set by default.
      env: { COMMENTS_PER_MINUTE: "30" },
    });
    const control = await openControl(stack);
    const { urls, ports, databaseUrl, appDatabaseUrl, proxyUrl, secrets } = stack;
    const controlUrl = control.url;
    project.provide("stack", {
      dataDir,
      urls,
      ports,
      databaseUrl,
      appDatabaseUrl,
      proxyUrl,
      secrets,
      controlUrl,
    });
    return async () => {
      await control.close();
      await stack.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
  } catch (error) {
    console.error(lines.join("\n"));
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}
