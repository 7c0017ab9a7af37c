#!/usr/bin/env node
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { baseOf } from "./address.ts";
import { receiveKey } from "./app-key.ts";
import { createDiscovery } from "./discovery.ts";
import { RETRIES } from "./retry.ts";

const USAGE = `soundpost app   registers an app and prints its key as lines of a .env file

  --name NAME          people see it when the app asks for access; default: the folder's name
  --redirect-uri URI   where users come back to, once for each; default: http://127.0.0.1/callback, with any port
  --public             for apps on phones, desktops and in browsers, which cannot keep a secret
  --api ADDRESS        of the API; default: the service that this program came from
  --no-browser         only prints the address to open`;

const OPTIONS = {
  name: { type: "string" },
  "redirect-uri": { type: "string", multiple: true },
  public: { type: "boolean" },
  api: { type: "string" },
  "no-browser": { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** npm notes beside the packages where each came from. */
function origin(): string | undefined {
  try {
    const noted = JSON.parse(
      readFileSync(fileURLToPath(new URL("../.package-lock.json", import.meta.url).href), "utf8"),
    );
    return noted.packages["node_modules/soundpost"].resolved.replace(/\/client[^/]*\.tgz$/, "");
  } catch {
    return undefined;
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** The address is printed, too, for devices without a browser. */
function openBrowser(url: string): void {
  const [program, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  spawn(program, [...before, url], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  if (values.help || positionals.join() !== "app") {
    console.error(USAGE);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const api = values.api ?? origin();
  if (!api)
    throw new Error("--api is missing: the address of the API, such as https://api.soundpost.example");
  const discover = createDiscovery({ fetch, retries: RETRIES, timeoutMs: 30_000 }, baseOf(api));
  const app = {
    name: values.name ?? basename(process.cwd()),
    client_type: values.public ? "public" : "confidential",
    redirect_uris: (values["redirect-uri"] ?? ["http://127.0.0.1/callback"]).join("\n"),
  };
  const { issuer } = await discover();
  const key = await receiveKey((handover) => {
    const url = `${issuer}/you/apps?${new URLSearchParams({ ...app, ...handover })}`;
    console.error(`Register the app here, and send its key to this terminal:\n\n  ${url}\n`);
    console.error("From another device, copy the key and end this with Ctrl+C.");
    if (!values["no-browser"]) openBrowser(url);
  });
  console.log(`CLIENT_ID=${key.client_id}`);
  if (key.client_secret) console.log(`CLIENT_SECRET=${key.client_secret}`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
