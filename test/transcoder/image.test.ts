import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "workers/transcoder");

test("the image has the sharp that was tested", async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(await readFile(join(FOLDER, "Dockerfile"), "utf8")).toContain(`sharp@${dependencies.sharp}`);
});

test("the transcoder imports only files that its image contains", async () => {
  for (const name of (await readdir(FOLDER)).filter((file) => file.endsWith(".ts"))) {
    const text = await readFile(join(FOLDER, name), "utf8");
    const outside = [...text.matchAll(/from "([^"]+)"/g)].map(([, from]) => from ?? "");
    expect(outside.filter((from) => !/^(\.\/[\w-]+\.ts|node:[\w/]+|sharp)$/.test(from))).toEqual([]);
  }
});
