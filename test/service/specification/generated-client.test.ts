import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { PROJECT_DIR } from "../../support/structure.ts";
import { uploadFinishedTrack } from "../../support/tracks.ts";

const GENERATORS = join(PROJECT_DIR, "test/generators");
const CALLS = join(GENERATORS, "typical-calls.ts");

/** Inside the project, so that the copy finds its packages. */
const CACHE = join(PROJECT_DIR, "node_modules/.cache");

const run = promisify(execFile);
let directory: string;

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true });
  directory = mkdtempSync(join(CACHE, "generated-"));
  const document = await (await fetch(`${stack.urls.api}/openapi.json`)).text();
  writeFileSync(join(directory, "openapi.json"), document);
  // Any configuration stops the generator's own lint, which redocly's test does better.
  writeFileSync(join(directory, "redocly.yaml"), "extends: [spec]\n");
  const generator = join(GENERATORS, "node_modules/openapi-typescript/bin/cli.js");
  const types = "node_modules/generated-api/index.d.ts";
  await run(process.execPath, [generator, "openapi.json", "-o", types], { cwd: directory });
  copyFileSync(CALLS, join(directory, "typical-calls.ts"));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("twenty typical calls of a generated client compile in strict mode", async () => {
  const options =
    "--strict --noEmit --target es2022 --module preserve --lib es2022,dom --types  --skipLibCheck";
  const asked = [...options.split(" "), "--allowImportingTsExtensions", "--ignoreConfig", "typical-calls.ts"];
  const tsc = join(PROJECT_DIR, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, ...asked], { cwd: directory }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe("");
});

test("the same calls work", async () => {
  const ana = await createUser();
  const ben = await createUser();
  const track = await uploadFinishedTrack(ana, { title: "Typical" });
  const { typicalCalls } = await import(/* @vite-ignore */ CALLS);
  const { statuses, values } = await typicalCalls({
    url: stack.urls.api,
    token: ana.token,
    appToken: ben.token,
    trackId: track.id,
    userId: ben.id,
    permalinkUrl: track.permalink_url,
  });
  const created = ["comment", "playlist", "upload", "follow"];
  expect(Object.keys(statuses).length).toBeGreaterThan(20);
  expect(Object.entries(statuses).filter(([, status]) => Number(status) >= 300)).toEqual([["missing", 404]]);
  expect(created.map((name) => statuses[name])).toEqual([201, 201, 201, 201]);
  expect(values).toMatchObject({
    ...{ username: ana.username, titles: ["Typical"], at: 1_000, streamable: true },
    ...{ hls: expect.stringContaining("/media/"), duration: expect.any(Number), reason: "Track not found" },
  });
});
