import { join } from "node:path";
import { buildSync } from "esbuild";
import type { Page } from "playwright-core";
import type { ClientApp } from "../support/consent.ts";
import { stack } from "../support/stack.ts";
import { PROJECT_DIR } from "../support/structure.ts";

/** Gives a page the typed client, as `client`, `uploadFile` and nothing else. */
export async function addClient(page: Page, { client_id, client_secret }: ClientApp): Promise<void> {
  const options = { apiUrl: stack.urls.api, clientId: client_id, clientSecret: client_secret };
  const contents = `
    import { createClient } from "./index.ts";
    import { uploadFile } from "./upload.ts";
    Object.assign(window, { client: createClient(${JSON.stringify(options)}), uploadFile });`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: join(PROJECT_DIR, "functions/client") },
    bundle: true,
    write: false,
    format: "iife",
    logLevel: "error",
  });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
}
