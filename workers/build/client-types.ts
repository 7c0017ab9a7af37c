import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type { ApiDocument } from "../../functions/api/openapi/schema.ts";
import { messageOf } from "../../functions/lib/errors/message-of.ts";
import { schemaTypes } from "./schema-types.ts";

/** Not in the repository: `npm test` writes it for the compiler and for editors. */
export const CLIENT_TYPES = "functions/client/api-types.ts";

const HEAD = "/** Made from the API document by workers/build/client-types.ts. */\n\n";

const PRINT_DOCUMENT = `import { serviceDocument } from "./workers/build/api-document.ts";
process.stdout.write(JSON.stringify(await serviceDocument()));`;

/** Returns the types of the client, made from the sources' own API document. */
export function clientTypes(projectDir: string): string {
  // Node itself reads no JSX.
  const { outputFiles } = buildSync({
    stdin: { contents: PRINT_DOCUMENT, resolveDir: projectDir },
    absWorkingDir: projectDir,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "silent",
  });
  const document = execFileSync(process.execPath, ["--input-type=module"], {
    cwd: projectDir,
    input: outputFiles[0]?.text,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: "pipe",
  });
  return HEAD + schemaTypes(JSON.parse(document) as ApiDocument);
}

/** Writes the file only if the document changed, so that nothing is checked or packed again. */
function writeClientTypes(projectDir: string): void {
  const file = join(projectDir, CLIENT_TYPES);
  const text = clientTypes(projectDir);
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (text !== before) writeFileSync(file, text);
}

if (import.meta.main)
  try {
    writeClientTypes(join(import.meta.dirname, "../.."));
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
