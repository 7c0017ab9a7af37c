import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { SERVES, systemNode } from "../../workers/admin/server/system-node.ts";
import { toneFile } from "../../workers/build/tone.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { isFull } from "../support/repeats.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { nothingRuns, temporaryDataDir, until } from "./npm-start.ts";

const run = promisify(execFile);

const OLDEST = SERVES.map(({ major, minor }) => `${major}.${minor}.0`);

/** Milliseconds. Each Node comes over the network. */
const PATIENCE_MS = 600_000;

describe.runIf(isFull)("a Node of the system's (npm test -- --full)", () => {
  const place = mkdtempSync(join(tmpdir(), "soundpost-nodes-"));
  // PostgreSQL runs as another user for root, and archives its log there.
  chmodSync(place, 0o711);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  /** The programs of the units: the service, and its backup of each night. */
  test.each(OLDEST)(
    "Node %s, the oldest of its line, serves and backs up",
    {
      timeout: PATIENCE_MS,
    },
    async (version) => {
      const folder = join(place, version);
      mkdirSync(folder);
      await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, `node@${version}`]);
      const bin = join(folder, "node_modules/node/bin");
      const node = systemNode([bin]);
      expect(node).toBe(join(bin, "node"));
      const song = join(folder, "tone.wav");
      writeFileSync(song, toneFile(1));
      const dataDir = temporaryDataDir();
      const env = {
        ...process.env,
        DATA_DIR: dataDir,
        BACKUP_DIR: join(folder, "backup"),
        PORT: String(await freePorts(3)),
      };
      const program = (path: string, ...words: string[]) => [join(PROJECT_DIR, path), ...words];
      const server = spawn(join(bin, "node"), program("workers/local/stack/start.ts", song), { env });
      let output = "";
      for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
      try {
        const mp3 = await until("the track plays", () => / mp3 +(http\S+)/.exec(output)?.[1], 120_000);
        expect((await fetch(mp3)).status).toBe(200);
        expect((await run("readlink", [`/proc/${server.pid}/exe`])).stdout).toContain(folder);
        const backup = program("workers/admin/main.ts", "backup", "--verify", "--json");
        const { stdout } = await run(join(bin, "node"), backup, { env });
        expect(JSON.parse(stdout)).toMatchObject({ verified: true });
      } catch (error) {
        throw new Error(`Node ${version} said:\n${output.slice(-3000)}`, { cause: error });
      } finally {
        server.kill("SIGTERM");
        await nothingRuns(dataDir);
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});
