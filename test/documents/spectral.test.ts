import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceDocument } from "../../workers/build/api-document.ts";
import { GENERATORS, installGenerators } from "../support/generators.ts";

const directory = mkdtempSync(join(tmpdir(), "spectral-"));

/** Milliseconds: 20 seconds of a processor that others use, too. */
const LINTING_MS = 600_000;

beforeAll(installGenerators);
afterAll(() => rmSync(directory, { recursive: true }));

async function lint(document: object): Promise<string[]> {
  const path = join(directory, "openapi.json");
  writeFileSync(path, JSON.stringify(document));
  const { stdout } = await promisify(execFile)(process.execPath, [join(GENERATORS, "spectral.ts"), path]);
  return JSON.parse(stdout);
}

test(
  "Spectral's rules for OpenAPI find nothing in the API document",
  async () => {
    expect(await lint(await serviceDocument())).toEqual([]);
  },
  LINTING_MS,
);

test("Spectral finds what is wrong, so that the check cannot pass on nothing", async () => {
  const { openapi, info, tags } = await serviceDocument<Record<string, unknown>>();
  const found = await lint({ openapi, info: { ...(info as object), contact: undefined }, tags, paths: {} });
  expect(found).toEqual(["oas3-api-servers ", "info-contact info"]);
});
