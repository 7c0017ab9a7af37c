import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { listenForWorker } from "../../workers/local/worker/loopback.ts";
import { brokenInvariantsOf } from "../support/check-invariants.ts";
import { fillDataDir } from "../support/data-dir.ts";
import { Ledger } from "../support/ledger.ts";
import { AuthServer } from "../support/oauth.ts";
import { shortWav } from "../support/tracks.ts";
import { createUploader, encodesIn, jobIn, type OwnStack } from "./encodes.support.ts";

/** A slow proxy between Worker and transcoder. */
async function startSlowProxy() {
  let target = 0;
  let delayMs = 0;
  const server = createServer(async (incoming, response) => {
    await sleep(delayMs);
    const headers = { ...incoming.headers, host: `127.0.0.1:${target}` };
    const { method, url: path } = incoming;
    const outgoing = request({ host: "127.0.0.1", port: target, method, path, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(response);
    });
    outgoing.once("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  const port = await listenForWorker(server);
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo(port: number) {
      target = port;
    },
    delay(ms: number) {
      delayMs = ms;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const dataDir = mkdtempSync(join(tmpdir(), "soundpost-test-"));
let door: Awaited<ReturnType<typeof startSlowProxy>>;
let own: OwnStack & { stack: Stack };

async function start(crons: boolean): Promise<void> {
  const stack = await startStack({
    port: await freePorts(3),
    dataDir,
    env: { TRANSCODER_URLS: door.url },
    crons,
    transcoders: 1,
    log: () => {},
  });
  door.leadTo(stack.ports.transcoder);
  own = { stack, auth: new AuthServer(stack) };
}

beforeAll(async () => {
  door = await startSlowProxy();
  await fillDataDir(dataDir);
  await start(true);
});
afterAll(async () => {
  expect(await brokenInvariantsOf({ ...own, ledger: new Ledger() })).toEqual([]);
  await own?.stack.stop();
  door?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const encoding = () => expect.poll(() => encodesIn(own), { interval: 20 }).toBe(1);
const finished = async (ana: Awaited<ReturnType<typeof createUploader>>, id: number) => {
  await expect.poll(() => ana.state(id), { timeout: 110_000 }).toBe("finished");
  return (await ana.track(id)).encoding;
};

test("a container that takes half a minute to start costs no attempt (F44)", {
  timeout: 240_000,
}, async () => {
  const ana = await createUploader(own);
  door.delay(30_000);
  const id = await ana.upload(shortWav());
  await sleep(8_000);
  expect(await jobIn(own, id)).toMatchObject({ state: "processing", job: "queued", attempt: 0 });
  door.delay(0);
  expect(await finished(ana, id)).toMatchObject({ attempts: 1, reason: null });
});

test("a Worker replaced during an encode finds it running, and it finishes once (F48)", async () => {
  const ana = await createUploader(own);
  const id = await ana.upload(shortWav(60));
  await encoding();
  const { worker = 0 } = own.stack.pids();
  process.kill(worker, "SIGKILL");
  await expect.poll(() => own.stack.pids().worker ?? worker).not.toBe(worker);
  expect(await finished(ana, id)).toMatchObject({ attempts: 1, reason: null, progress: 1 });
});

test("a transcoder told to stop returns its job at once, and another finishes it (F48)", async () => {
  const ana = await createUploader(own);
  const id = await ana.upload(shortWav(30));
  await encoding();
  const { transcoder = 0 } = own.stack.pids();
  process.kill(transcoder, "SIGTERM");
  // The lease would last for a minute.
  await expect
    .poll(() => jobIn(own, id), { interval: 50 })
    .toMatchObject({ job: "queued", reason: "killed" });
  await expect.poll(() => own.stack.pids().transcoder ?? transcoder).not.toBe(transcoder);
  expect(await finished(ana, id)).toMatchObject({ attempts: 2, reason: null });
});

test("SIGTERM to the stack: the transcoder returns its job before the Worker stops, and the next start continues it", {
  timeout: 240_000,
}, async () => {
  const id = await (await createUploader(own)).upload(shortWav(30));
  await encoding();
  await own.stack.stop();
  await start(false);
  expect(await jobIn(own, id)).toMatchObject({
    state: "processing",
    job: "queued",
    attempt: 1,
    reason: "killed",
  });
  await own.auth.sql("update encoding_jobs set next_run_at = now() where track_id = $1", [id]);
  await own.stack.worker.scheduled({ cron: "* * * * *" });
  await expect
    .poll(() => jobIn(own, id), { timeout: 110_000 })
    .toMatchObject({ state: "finished", attempt: 2 });
});
