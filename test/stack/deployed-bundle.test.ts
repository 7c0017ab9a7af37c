import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { uploadAsDemoUser } from "../../workers/local/demo.ts";
import { freePorts } from "../../workers/local/ports.ts";
import { startStack } from "../../workers/local/stack.ts";
import { buildWorker } from "../../workers/local/worker-build.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { sweepWithBursts, wavFile } from "../support/sources/pcm.ts";
import { temporaryDataDir } from "./npm-start.ts";

/** KiB, compressed. Static files are no part of it. */
const MOST_KIB = 520;

test("the minified bundle of a deploy takes an upload and plays it", async () => {
  const dataDir = temporaryDataDir();
  const bundle = join(dataDir, "worker");
  try {
    await fillDataDir(dataDir);
    rmSync(bundle, { recursive: true, force: true });
    await buildWorker(bundle, { minified: true });
    const script = readFileSync(join(bundle, "main.js"));
    expect(gzipSync(script).length / 1024).toBeLessThan(MOST_KIB);

    const stack = await startStack({ port: await freePorts(3), dataDir, log: () => {} });
    try {
      const song = join(dataDir, "song.wav");
      writeFileSync(song, wavFile(sweepWithBursts(44_100, 44_100), 44_100));
      await uploadAsDemoUser(stack, [song], dataDir);
      const refused = await fetch(`${stack.urls.api}/tracks/1`);
      expect([refused.status, await refused.json()]).toMatchObject([401, { code: 401 }]);
      expect((await fetch(`${stack.urls.api}/openapi.json`)).status).toBe(200);
    } finally {
      await stack.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
