import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../../workers/local/ports.ts";
import { startStack } from "../../../workers/local/stack.ts";
import { AuthServer } from "../../support/oauth.ts";
import { openFaultProxy } from "./fault-proxy.ts";

/** A stack whose database fails when it is told to: the shared one has other tests on it. */
export async function startFaultyStack(env: Record<string, string> = {}) {
  const database = await openFaultProxy();
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-test-"));
  const stack = await startStack({
    port: await freePorts(3),
    dataDir,
    env: { DATABASE_PROXY_URL: database.url, ...env },
    crons: false,
    log: () => {},
  });
  database.leadTo(stack.proxyUrl);
  return {
    stack,
    auth: new AuthServer(stack),
    database,
    async stop() {
      await stack.stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type FaultyStack = Awaited<ReturnType<typeof startFaultyStack>>;
