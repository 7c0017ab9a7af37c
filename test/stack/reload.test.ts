import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { watchSources } from "../../workers/local/worker/reload.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { temporaryDataDir } from "./npm-start.ts";

const COPIED = [
  "functions",
  "workers",
  "db",
  "tsconfig.json",
  "wrangler.toml",
  "package.json",
  "package-lock.json",
  "LICENSE",
];
const HANDLER = "functions/api/health/routes.ts";

/** A copy of the sources, because other tests read those of the project. */
const projectDir = temporaryDataDir();
const dataDir = temporaryDataDir();
const lines: string[] = [];
let stack: Stack;
let close: () => void;

beforeAll(async () => {
  for (const name of COPIED) cpSync(join(PROJECT_DIR, name), join(projectDir, name), { recursive: true });
  symlinkSync(join(PROJECT_DIR, "node_modules"), join(projectDir, "node_modules"));
  await fillDataDir(dataDir);
  stack = await startStack({
    port: await freePorts(3),
    dataDir,
    log: () => {},
    crons: false,
    transcoders: 0,
  });
  const { databaseUrl, worker } = stack;
  const log = (line: string) => lines.push(line);
  close = watchSources({ projectDir, dataDir, databaseUrl, reload: worker.reload, log });
});

afterAll(async () => {
  close?.();
  await stack?.stop();
  for (const directory of [projectDir, dataDir]) rmSync(directory, { recursive: true, force: true });
});

const edit = (from: string, to: string): void => {
  const path = join(projectDir, HANDLER);
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
};

const health = async (): Promise<unknown> =>
  fetch(`${stack.urls.api}/healthz`).then(
    (reply) => reply.json(),
    () => undefined,
  );

test("an edited handler answers, and a broken edit leaves the one before in place", async () => {
  const before = await health();
  expect(before).toMatchObject({ status: "ok" });
  edit('{ status: "ok", ', '{ status: "edited", ');
  await expect.poll(health).toMatchObject({ status: "edited" });
  await expect.poll(() => lines.at(-1)).toMatch(/^Reloaded in [\d.]+ s: functions\/api\/health\/routes\.ts$/);

  edit("import", "imp ort");
  await expect.poll(() => lines.at(-1)).toMatch(/^Not reloaded.*functions\/api\/health\/routes\.ts:1:/s);
  expect(await health()).toMatchObject({ status: "edited" });

  edit("imp ort", 'throw new Error("at the start");\nimport');
  await expect.poll(() => lines.at(-1)).toMatch(/^Not reloaded.*at the start/s);
  expect(await health()).toMatchObject({ status: "edited" });
  expect(await stack.worker.scheduled({ cron: "* * * * *" })).toMatchObject({ outcome: "ok" });

  edit('throw new Error("at the start");\n', "");
  edit('{ status: "edited", ', '{ status: "mended", ');
  await expect.poll(health).toMatchObject({ status: "mended" });
});

test("a Worker whose clock was set back starts again with the edited bundle, since its waits go by the clock", async () => {
  const before = stack.pids().worker;
  const now = Date.now;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() - 3_600_000);
  await expect.poll(() => stack.pids().worker).not.toBe(before);
  clock.mockRestore();
  await expect.poll(health).toMatchObject({ status: "mended" });
});
