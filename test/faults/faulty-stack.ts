import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type StackOptions, startStack } from "../../workers/local/stack/stack.ts";
import { brokenInvariantsOf } from "../support/check-invariants.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { Ledger } from "../support/ledger.ts";
import { AuthServer } from "../support/oauth.ts";
import { openFaultProxy } from "./fault-proxy.ts";

/** Starts a stack whose database fails on request, because the shared one serves other tests. Most need no transcoder. */
export async function startFaultyStack(
  env: Record<string, string> = {},
  transcoders = 1,
  more: Pick<StackOptions, "smtp"> = {},
) {
  const database = await openFaultProxy();
  const dataDir = mkdtempSync(join(tmpdir(), "soundpost-test-"));
  await fillDataDir(dataDir);
  const stack = await startStack({
    port: await freePorts(3),
    dataDir,
    env: { DATABASE_PROXY_URL: database.url, ...env },
    crons: false,
    transcoders,
    log: () => {},
    ...more,
  });
  database.leadTo(stack.proxyUrl);
  const faulty = {
    stack,
    dataDir,
    auth: new AuthServer(stack),
    database,
    /** Replies to writes, as `sender` records them. */
    ledger: new Ledger(),
    /** Checks the invariants, which hold after any failure. */
    async stop() {
      await database.up();
      const broken = await brokenInvariantsOf(faulty).catch((error: Error) => [error.stack]);
      await stack.stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
      if (broken.length) throw new Error(`Broken invariants:\n${broken.join("\n")}`);
    },
  };
  return faulty;
}

export type FaultyStack = Awaited<ReturnType<typeof startFaultyStack>>;
