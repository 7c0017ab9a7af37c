import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { type NpmStart, nothingRuns, npmStart, temporaryDataDir } from "./npm-start.ts";

const started: NpmStart[] = [];

afterAll(async () => {
  for (const { npm } of started) npm.kill("SIGTERM");
  for (const { dataDir } of started) {
    await nothingRuns(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function start(setting: string) {
  const [port, dataDir] = [await freePorts(3), temporaryDataDir()];
  await fillDataDir(dataDir);
  const one = npmStart({ port, dataDir, env: { OLDER_BEHAVIOUR: setting } });
  started.push(one);
  return { ...one, api: `http://localhost:${port}` };
}

test("OLDER_BEHAVIOUR=off npm start closes the older endpoints and does not announce them", async () => {
  const { api, ready } = await start("off");
  expect(await ready).not.toContain("older API");
  expect((await fetch(`${api}/connect`)).status).toBe(410);
  expect((await fetch(`${api}/oauth2/token`, { method: "POST" })).status).toBe(410);
});

test("an invalid value of OLDER_BEHAVIOUR ends the start with a sentence", async () => {
  const { ended, output } = await start("Off!");
  expect(await ended).toBe(1);
  expect(output()).toContain('OLDER_BEHAVIOUR must be on or off, not "Off!"');
});
