import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSync } from "esbuild";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import type { Store } from "../../functions/client/store.ts";
import { createClientApp, createVisitor } from "../support/consent.ts";
import { stack } from "../support/stack.ts";
import { PROJECT_DIR } from "../support/structure.ts";

const PROGRAMS = join(PROJECT_DIR, "test/client");

type Soundpost = typeof import("../../functions/client/index.ts");
type Upload = typeof import("../../functions/client/upload.ts");
type Webhooks = typeof import("../../functions/client/webhooks.ts");

export interface Installed {
  /** Holds the programs of `test/client`, too. */
  directory: string;
  soundpost: Soundpost & Upload & Webhooks;
  remove(): void;
}

export const run = promisify(execFile);

/** Installs the package from the running service, as an app does. */
export async function installClient(): Promise<Installed> {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-client-"));
  writeFileSync(join(directory, "package.json"), '{ "type": "module", "private": true }');
  const asked = ["install", `${stack.urls.api}/client.tgz`, "--no-audit", "--no-fund"];
  await run("npm", asked, { cwd: directory });
  cpSync(PROGRAMS, directory, { recursive: true });
  const entry = (name: string) =>
    import(/* @vite-ignore */ join(directory, `node_modules/soundpost/${name}.js`));
  const soundpost = { ...(await entry("index")), ...(await entry("upload")), ...(await entry("webhooks")) };
  return { directory, soundpost, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Signs in through the pages that a user sees. */
export async function beginSignIn({ createClient }: Soundpost, store?: Store) {
  const app = await createClientApp();
  const { user, browser } = await createVisitor();
  const credentials = { clientId: app.client_id, clientSecret: app.client_secret };
  const client = createClient({ apiUrl: stack.urls.api, ...credentials, ...(store && { store }) });
  const begun = new URL(await client.session.begin(app.redirect_uri));
  const { location } = await browser.approve(begun.pathname + begun.search);
  return { app, user, client, callback: location ?? "" };
}

/** Hands over each request and lets `change` replace its reply. */
export function intercepted(
  change: (request: { method: string; url: string; nth: number }) => Response | Error | undefined,
) {
  const sent: { method: string; url: string; headers: Headers }[] = [];
  const intercepting = async (url: string, init: RequestInit) => {
    const method = init.method ?? "GET";
    const nth = sent.push({ method, url, headers: new Headers(init.headers) });
    const reply = await fetch(url, init);
    const changed = change({ method, url, nth });
    if (changed instanceof Error) throw changed;
    return changed ?? reply;
  };
  return { sent, fetch: intercepting };
}

export const refusing = (status: number, retryAfter: string) =>
  new Response(null, { status, headers: { "Retry-After": retryAfter } });

/** Runs `test/client/worker.ts` with the installed package for one request. */
export async function askWorker(directory: string, url: string): Promise<unknown> {
  const { outputFiles } = buildSync({
    entryPoints: [join(directory, "worker.ts")],
    bundle: true,
    write: false,
    format: "esm",
  });
  const script = outputFiles[0]?.text ?? "";
  const worker = { name: "app", modules: true, script, compatibilityDate: "2026-10-01" } as const;
  const log = new Log(LogLevel.NONE);
  const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, log, workers: [worker] }));
  try {
    return await (await miniflare.dispatchFetch(url)).json();
  } finally {
    await miniflare.dispose();
  }
}
