import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type StackOptions, startStack } from "../../workers/local/stack/stack.ts";
import { openCrons } from "../../workers/local/worker/crons.ts";
import { CHEAP_PASSWORDS } from "./cheap-passwords.ts";
import { fillDataDir } from "./data-dir.ts";
import { putOffRecounts } from "./put-off-recounts.ts";
import { inTurns, openControl } from "./stack-control.ts";
import { startWorkerBeside, THREE_HOSTS } from "./worker-beside.ts";

/** Starts one stack for the project's tests, on its own ports, in a temporary directory. */
export default async function setUp(
  project: TestProject,
  { env, crons = true }: Pick<StackOptions, "env" | "crons"> = {},
): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-test-"));
  const lines: string[] = [];
  const log = (line: string) => (process.env.LOG === "verbose" ? console.error(line) : lines.push(line));
  try {
    await fillDataDir(dataDir);
    const stack = await startStack({
      port: await freePorts(3),
      dataDir,
      log,
      crons: false,
      env: (addresses) => ({ ...CHEAP_PASSWORDS, ...(typeof env === "function" ? env(addresses) : env) }),
    });
    await putOffRecounts(stack.databaseUrl);
    let threeHosts: ReturnType<typeof startWorkerBeside> | undefined;
    const scheduled = inTurns(stack.worker.scheduled);
    const ownCrons = crons ? openCrons({ scheduled, log, sandbox: false }) : undefined;
    const control = await openControl({ queue: stack.worker.queue, scheduled }, () => {
      threeHosts ??= startWorkerBeside({ ...stack, dataDir }, THREE_HOSTS);
      return threeHosts;
    });
    const { urls, ports, databaseUrl, appDatabaseUrl, proxyUrl, secrets, mailPort } = stack;
    const controlUrl = control.url;
    project.provide("stack", {
      dataDir,
      urls,
      ports,
      databaseUrl,
      appDatabaseUrl,
      proxyUrl,
      secrets,
      mailPort,
      controlUrl,
    });
    return async () => {
      await control.close();
      await threeHosts?.then(
        ({ stop }) => stop(),
        () => {},
      );
      await ownCrons?.stop();
      await stack.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
  } catch (error) {
    console.error(lines.join("\n"));
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}
