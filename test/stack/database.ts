import { mkdirSync, rmSync } from "node:fs";
import { neonConfig } from "@neondatabase/serverless";
import { startNeonProxy } from "../../workers/local/neon-proxy/proxy.ts";
import type { PostgresChoice } from "../../workers/local/postgres/installations.ts";
import { postgresService } from "../../workers/local/postgres/server.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { addressesFor, PRIVATE_PORTS } from "../../workers/local/stack/record.ts";
import { keepSecrets } from "../../workers/local/stack/secrets.ts";
import { supervise } from "../../workers/local/stack/supervisor.ts";
import { openWatchdog } from "../../workers/local/stack/watchdog.ts";
import { temporaryDataDir } from "./npm-start.ts";

/** Starts the data directory's Postgres and the Neon proxy without the rest of a stack. */
export async function startDatabase(dataDir = temporaryDataDir(), choice: PostgresChoice = {}) {
  mkdirSync(dataDir, { recursive: true });
  const secrets = await keepSecrets(dataDir);
  const { ports, ...urls } = addressesFor(0, await freePorts(PRIVATE_PORTS), secrets);
  const passwords = { owner: secrets.DATABASE_OWNER_PASSWORD, app: secrets.DATABASE_APP_PASSWORD };
  const watchdog = openWatchdog("soundpost-test-watchdog");
  const service = await postgresService({ dataDir, port: ports.postgres, passwords, choice, log: () => {} });
  const postgres = await supervise(service, { watchdog, log: () => {}, changed: () => {} });
  const proxy = await startNeonProxy({
    port: ports.proxy,
    secret: secrets.TRANSCODER_SECRET,
    databaseUrl: urls.databaseUrl,
  });
  return {
    ...urls,
    ports,
    /** The Worker's form: Neon's host, which is never resolved. */
    neonUrl: `postgres://soundpost_app:${passwords.app}@db.local/soundpost`,
    pid: () => postgres.identity()?.pid ?? 0,
    stats: async () =>
      (await (await fetch(new URL("stats", proxy.url))).json()) as {
        queries: number;
        reads: number;
      },
    async stop({ keepData = false } = {}) {
      await proxy.close();
      await postgres.stop();
      watchdog.close();
      if (!keepData) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Points Neon's driver at a proxy. It has one setting for all clients of a process: `putBack` is for the files that follow. */
export function pointDriverAt(proxyUrl: string): { putBack: () => void } {
  const { fetchEndpoint, fetchFunction } = neonConfig;
  const usual = { fetchEndpoint, fetchFunction };
  Object.assign(neonConfig, { fetchEndpoint: () => proxyUrl, fetchFunction: undefined });
  return { putBack: () => void Object.assign(neonConfig, usual) };
}
