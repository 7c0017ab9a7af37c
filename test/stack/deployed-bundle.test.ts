import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { smokeTest } from "../../workers/deploy/smoke.ts";
import { uploadAsDemoUser } from "../../workers/local/demo/demo.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { commandLineOf } from "../../workers/local/stack/processes.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { assetsOf, buildWorker } from "../../workers/local/worker/build.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { poolOf } from "../support/database.ts";
import { sweepWithBursts, wavFile } from "../support/sources/pcm.ts";
import { pidsOf, temporaryDataDir, until } from "./npm-start.ts";

/** KiB, compressed. The platform takes 10 MiB, but compiles all of it at each start. */
const MAX_KIB = 760;

const SIGTERM = constants.signals.SIGTERM;

/** Whether the process has a handler of its own. */
function listensFor(pid: number, signal: number): boolean {
  const caught = /^SigCgt:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return ((BigInt(`0x${caught}`) >> BigInt(signal - 1)) & 1n) === 1n;
}

const dataDir = temporaryDataDir();
const bundle = join(dataDir, "worker");
let stack: Stack;

beforeAll(async () => {
  await fillDataDir(dataDir);
  rmSync(bundle, { recursive: true, force: true });
  await buildWorker(bundle, { minified: true });
  stack = await startStack({ port: await freePorts(3), dataDir, log: () => {}, transcoders: 1 });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("the minified bundle of a deploy takes an upload and plays it, also after a file that is refused", async () => {
  const [song, empty] = [join(dataDir, "song.wav"), join(dataDir, "empty.wav")];
  writeFileSync(song, wavFile(sweepWithBursts(44_100, 44_100), 44_100));
  writeFileSync(empty, "");
  const refusal = /^empty\.wav: .*the file is empty/;
  await expect(uploadAsDemoUser(stack, [empty, song], dataDir)).rejects.toThrow(refusal);
  const finished = "select from tracks where title = 'song' and state = 'finished'";
  expect((await poolOf(stack.databaseUrl).query(finished)).rowCount).toBe(1);
  const refused = await fetch(`${stack.urls.api}/tracks/1`);
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 401 }]);
  expect((await fetch(`${stack.urls.api}/openapi.json`)).status).toBe(200);
});

test("the check after a deploy gets a token, uploads a second, plays it and leaves nothing", async () => {
  const lines: string[] = [];
  const { api } = stack.urls;
  const tested = { apiUrl: api, authUrl: api, databaseUrl: stack.databaseUrl };
  await smokeTest({ ...tested, log: (line) => lines.push(line) });
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toMatch(/^Its stream plays: [1-9]\d{3,} bytes/);
  const left = await poolOf(stack.databaseUrl).query(
    "select from users u join accounts a on a.user_id = u.id where u.permalink like 'deploycheck%'",
  );
  expect(left.rowCount).toBe(0);
});

test("the check fails where the service does not answer", async () => {
  const nowhere = "http://127.0.0.1:9";
  const tested = { apiUrl: nowhere, authUrl: nowhere, databaseUrl: stack.databaseUrl };
  await expect(smokeTest({ ...tested, log: () => {}, patienceMs: 0 })).rejects.toThrow(
    "/readyz does not answer",
  );
});

test("the bundle is small", () => {
  const compressed = gzipSync(readFileSync(join(bundle, "main.js"))).length / 1024;
  console.log(`The bundle has ${compressed.toFixed()} KiB`);
  expect(compressed).toBeLessThan(MAX_KIB);
});

test("an interrupted build fails, so that the next start builds again", async () => {
  const directory = join(dataDir, "interrupted");
  const build = buildWorker(directory);
  build.catch(() => {});
  const wrangler = await until("wrangler listens for signals", () =>
    pidsOf(directory).find((pid) => commandLineOf(pid).includes("wrangler.js") && listensFor(pid, SIGTERM)),
  );
  process.kill(wrangler, "SIGTERM");
  // Wrangler mostly ends with status 0, as if it had built. Now and then the signal ends it.
  await expect(build).rejects.toThrow(/build was interrupted|does not build/);
  expect(existsSync(join(directory, ".sources"))).toBe(false);
});

test("the platform serves static files with the headers that they have locally", async () => {
  const directory = assetsOf(bundle);
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      modules: true,
      script: "export default { fetch: () => new Response('the Worker') }",
      assets: { directory, routerConfig: { has_user_worker: true } },
    }),
  );
  try {
    const paths = readdirSync(join(directory, "static"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `/${relative(directory, join(entry.parentPath, entry.name))}`);
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      const [theirs, ours] = [
        await platform.dispatchFetch(`http://localhost${path}`),
        // The platform compresses at its edge, which is not here, and varies by it.
        await fetch(stack.urls.api + path, { headers: { "Accept-Encoding": "identity" } }),
      ];
      const {
        date,
        connection,
        "keep-alive": _,
        "content-length": __,
        vary: ___,
        ...sent
      } = Object.fromEntries(ours.headers);
      expect(sent["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect([path, theirs.status, Object.fromEntries(theirs.headers)]).toMatchObject([path, 200, sent]);
      expect(await theirs.text()).toBe(await ours.text());
    }
    const licences = await fetch(`${stack.urls.api}/licences.txt`);
    expect([licences.status, licences.headers.get("content-type")]).toEqual([
      200,
      "text/plain; charset=utf-8",
    ]);
    expect(await licences.text()).toBe(
      await (await platform.dispatchFetch("http://localhost/licences.txt")).text(),
    );
    const name = readdirSync(directory).find((each) => /^client-.+\.tgz$/.test(each));
    const client = await platform.dispatchFetch(`http://localhost/${name}`);
    expect([client.status, client.headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=31536000, immutable",
    ]);
    const elsewhere = await platform.dispatchFetch("http://localhost/static/older/style.css");
    expect(await elsewhere.text()).toBe("the Worker");
  } finally {
    await platform.dispose();
  }
});
