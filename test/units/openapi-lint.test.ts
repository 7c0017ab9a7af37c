import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serviceDocument } from "../../workers/build/api-document.ts";

const REDOCLY = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

interface Finding {
  ruleId: string;
  severity: string;
  location: { pointer?: string }[];
}

async function lint(document: object): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), "openapi-"));
  const path = join(directory, "openapi.json");
  writeFileSync(path, JSON.stringify(document));
  const asked = [REDOCLY, "lint", path, "--extends=recommended", "--format=json", "--max-problems=1000"];
  // It ends with 1 if there are errors.
  const ran = promisify(execFile)(process.execPath, asked, {
    cwd: directory,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    maxBuffer: 64 * 1024 * 1024,
  });
  const { stdout } = await ran.catch((error: { stdout: string }) => error);
  rmSync(directory, { recursive: true });
  const { problems } = JSON.parse(stdout) as { problems: Finding[] };
  return problems.map(({ ruleId, severity, location }) => `${severity} ${ruleId} ${location[0]?.pointer}`);
}

test("redocly's recommended rules find nothing in the API document", async () => {
  expect(await lint(await serviceDocument())).toEqual([]);
});

test("redocly finds what is wrong, so that the check cannot pass on nothing", async () => {
  const document = await serviceDocument<{ paths: Record<string, Record<string, { summary?: string }>> }>();
  delete document.paths["/me"]?.get?.summary;
  expect(await lint(document)).toEqual(["error operation-summary #/paths/~1me/get/summary"]);
});
