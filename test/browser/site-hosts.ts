import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFront } from "../../workers/local/front/front.ts";
import { openStaticFiles } from "../../workers/local/front/static-files.ts";
import { startMail } from "../../workers/local/mail/service.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { startSecondWorker } from "../support/second-worker.ts";
import { stack } from "../support/stack.ts";

/** Starts the service with hosts of their own for site, accounts and API, and with a mailbox, as in production. */
export async function startSiteHosts() {
  const port = await freePorts(1);
  const mailDir = mkdtempSync(join(tmpdir(), "soundpost-mail-"));
  const mail = await startMail(mailDir);
  const [web, auth, api] = ["web", "auth", "api"].map((name) => `http://${name}.localhost:${port}`);
  const worker = await startSecondWorker(() => ({
    ...{ WEB_URL: `${web}`, AUTH_URL: `${auth}`, API_URL: `${api}` },
    MAIL_URL: `http://127.0.0.1:${mail.port}`,
  }));
  const files = openStaticFiles(join(stack.dataDir, "worker"));
  const front = await startFront({
    ...{ ports: [port], workerPort: worker.port },
    mounts: [files.mount, mail.pages],
  });
  return {
    web: `${web}`,
    auth: `${auth}`,
    api: `${api}`,
    /** The link of the latest mail to this address. */
    async mailedLink(address: string): Promise<string> {
      const mails = `http://localhost:${port}/dev/mail.json?to=${encodeURIComponent(address)}`;
      const [latest] = (await (await fetch(mails)).json()) as { text: string }[];
      return /http\S+/.exec(latest?.text ?? "")?.[0] ?? "";
    },
    async stop() {
      await front.close();
      await worker.stop();
      await mail.stop();
      rmSync(mailDir, { recursive: true, force: true });
    },
  };
}
