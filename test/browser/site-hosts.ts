import { join } from "node:path";
import { startFront } from "../../workers/local/front/front.ts";
import { openStaticFiles } from "../../workers/local/front/static-files.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { mailsTo } from "../support/browser.ts";
import { startSecondWorker } from "../support/second-worker.ts";
import { stack } from "../support/stack.ts";

/**
 * Starts the service with hosts of their own for site, accounts and API, as in production. To browsers, hosts below
 * `localhost` are sites of their own; those below another domain are one. `settings` are those that differ.
 */
export async function startSiteHosts(domain = "localhost", settings: Record<string, string> = {}) {
  const port = await freePorts(1);
  const [web, auth, api] = ["web", "auth", "api"].map((name) => `http://${name}.${domain}:${port}`);
  const worker = await startSecondWorker(() => ({
    WEB_URL: `${web}`,
    AUTH_URL: `${auth}`,
    API_URL: `${api}`,
    ...settings,
  }));
  const files = openStaticFiles(join(stack.dataDir, "worker"));
  const front = await startFront({ ports: [port], workerPort: worker.port, mounts: [files.mount] });
  return {
    web: `${web}`,
    auth: `${auth}`,
    api: `${api}`,
    /** The link of the latest mail to this address. */
    async mailedLink(address: string): Promise<string> {
      const [latest] = await mailsTo(address);
      return /http\S+/.exec(latest?.text ?? "")?.[0] ?? "";
    },
    async stop() {
      await front.close();
      await worker.stop();
    },
  };
}
