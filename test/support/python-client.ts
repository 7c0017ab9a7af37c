import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { requirePackage, succeeds } from "./debian.ts";
import { GENERATORS, installGenerators } from "./generators.ts";
import { requireJava } from "./java-client.ts";
import { asOpenApi30 } from "./openapi-3.0.ts";

const run = promisify(execFile);

/** The newest release that npm brings whole. Newer ones download themselves from elsewhere. */
const GENERATOR = join(
  GENERATORS,
  "node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar",
);

/** Debian's, which alone sees Debian's packages. */
const PYTHON = "/usr/bin/python3";

/** Generates a client in Python with OpenAPI Generator. Returns what runs `typical-calls.py` with it. */
export async function generatePythonClient(document: object, directory: string) {
  await Promise.all([installGenerators(), requireJava()]);
  for (const name of ["certifi", "dateutil", "six", "urllib3"])
    await requirePackage(`python3-${name}`, {
      purpose: `Python's ${name}`,
      isInstalled: () => succeeds(PYTHON, "-c", `import ${name}`),
    });
  writeFileSync(join(directory, "openapi-3.0.json"), JSON.stringify(asOpenApi30({ ...document })));
  const asked =
    "generate -g python -i openapi-3.0.json -o . --package-name generated_api --skip-validate-spec";
  await run("java", ["-jar", GENERATOR, ...asked.split(" ")], {
    cwd: directory,
    maxBuffer: 64 * 1024 * 1024,
  });
  return async (...words: string[]) => {
    const { stdout } = await run(PYTHON, [join(GENERATORS, "typical-calls.py"), ...words], {
      env: { ...process.env, PYTHONPATH: directory, PYTHONDONTWRITEBYTECODE: "1" },
    });
    return JSON.parse(stdout);
  };
}
