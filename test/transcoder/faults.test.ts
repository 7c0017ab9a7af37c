import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { casesOf } from "../support/repeats.ts";
import { clicks, sweepWav, wavFile } from "../support/sources/pcm.ts";
import { makeSources, type Sources } from "../support/sources.ts";
import { startGatewayProxy } from "./gateway-proxy.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;
beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder();
});
afterAll(() => transcoder?.stop());

const LONG_S = 16;

/** Megabytes of PCM, so that ffmpeg notices a cut in the middle. */
const longWav = () => sweepWav(LONG_S);

test("a source that breaks once loses nothing", async () => {
  const wav = longWav();
  let cuts = 0;
  const { verdict } = await transcoder.encode(wav, {
    source(response, { from, to }, file) {
      const middle = Math.floor(file.length / 2);
      if (cuts > 0 || from > middle || to < middle) return false;
      cuts++;
      response.writeHead(206, { "Content-Length": to - from });
      response.write(file.subarray(from, middle), () => response.destroy());
      return true;
    },
  });
  expect(cuts).toBe(1);
  expect(verdict).toMatchObject({ outcome: "finished", body: { frames: 44_100 * LONG_S, warnings: [] } });
});

test("a source that stays broken in the middle fails as interrupted instead of giving a shorter track", async () => {
  const wav = longWav();
  const { verdict } = await transcoder.encode(wav, {
    source(response, { from, to }, file) {
      const middle = Math.floor(file.length / 2);
      if (to <= middle) return false;
      response.writeHead(206, { "Content-Length": to - from });
      response.write(file.subarray(from, Math.max(from, middle)), () => response.destroy());
      return true;
    },
  });
  expect(verdict.body).toMatchObject({ reason: "source_interrupted", retryable: true });
});

test.for([
  [404, { reason: "source_missing", retryable: false }],
  [503, { reason: "source_unavailable", retryable: true }],
] as const)(
  "a source that always answers %i fails for good if it is gone, otherwise as unavailable",
  async ([status, verdict]) => {
    const encoded = await transcoder.encode(await readFile(sources.mp3.path), {
      source(response) {
        response.writeHead(status).end();
        return true;
      },
    });
    expect(encoded.verdict.body).toMatchObject(verdict);
  },
);

test("a server without ranges works", async () => {
  const { verdict } = await transcoder.encode(await readFile(sources.m4a.path), {
    source(response, _, file) {
      response.writeHead(200, { "Content-Length": file.length }).end(file);
      return true;
    },
  });
  expect(verdict).toMatchObject({ outcome: "finished", body: { family: "aac" } });
});

test("storage that fails once is retried", async () => {
  const failed = new Set<string>();
  const { worker, verdict } = await transcoder.encode(await readFile(sources.flac.path), {
    output(response, name) {
      if (failed.has(name)) return false;
      failed.add(name);
      if (name.endsWith(".m4s")) response.destroy();
      else response.writeHead(500).end();
      return true;
    },
  });
  expect(verdict.outcome).toBe("finished");
  expect([...worker.outputs.keys()].sort()).toEqual([...failed].sort());
});

test.for([
  [500, "output_unavailable"],
  [403, "output_unavailable"],
  [507, "no_space"],
] as const)("storage that keeps answering %i fails the job with %s", async ([status, reason]) => {
  const { verdict } = await transcoder.encode(sweepWav(1), {
    output(response) {
      response.writeHead(status).end();
      return true;
    },
  });
  expect(verdict.body).toMatchObject({ reason, retryable: true });
});

test("no segment is reported until both renditions have it", async () => {
  const stored = Promise.withResolvers<void>();
  let isHeld = true;
  let early = 0;
  let beatsAtStore = Number.POSITIVE_INFINITY;
  const { worker, verdict } = await transcoder.encode(wavFile(clicks(44_100 * LONG_S, 44_100), 44_100), {
    output(response, name) {
      if (name === "hls/160/3.m4s") beatsAtStore = early;
      if (name !== "hls/96/0.m4s" || !isHeld) return false;
      stored.promise.then(() => {
        isHeld = false;
        response.writeHead(500).end();
      });
      return true;
    },
    heartbeatStatus(beats) {
      if (isHeld) early = beats;
      // Some more come while one rendition has it.
      if (beats > beatsAtStore + 3) stored.resolve();
      return 200;
    },
  });
  expect(verdict.outcome).toBe("finished");
  expect(worker.stored.indexOf("hls/160/3.m4s")).toBeLessThan(worker.stored.indexOf("hls/96/0.m4s"));
  expect(early).toBeGreaterThan(1);
  expect(new Set(worker.beats.slice(0, early).map((beat) => beat.segments_ready))).toEqual(new Set([0]));
});

test("a verdict is retried until it is accepted, even if heartbeats fail, and one that crosses it gets 409", async () => {
  let [reports, crossed] = [0, 0];
  const { worker, verdict } = await transcoder.encode(sweepWav(1), {
    heartbeatStatus() {
      if (reports === 0) return 500;
      crossed++;
      return 409;
    },
    verdictStatus(count) {
      reports = count;
      return crossed === 0 || count < 4 ? 503 : 200;
    },
  });
  expect(verdict.outcome).toBe("finished");
  expect(worker.verdicts).toHaveLength(1);
});

test("a refused result is not resent: the job fails at once and may be retried", async () => {
  const { worker, verdict } = await transcoder.encode(sweepWav(1), {
    verdictStatus: (reports) => (reports === 1 ? 422 : 200),
  });
  expect(verdict).toMatchObject({ outcome: "failed", body: { reason: "report_refused", retryable: true } });
  expect(worker.verdicts).toHaveLength(1);
});

test.for(casesOf(2, [400, 404, 401, 422]))(
  "if every report gets %i, the transcoder sends two and abandons the job",
  async (status) => {
    let reports = 0;
    const worker = await startGatewayProxy(sweepWav(1), {
      verdictStatus(count) {
        reports = count;
        return status;
      },
    });
    await transcoder.post(worker.job);
    const health = async () => (await (await fetch(`${transcoder.url}/healthz`)).json()) as { jobs: number };
    await expect.poll(async () => [reports, (await health()).jobs]).toEqual([2, 0]);
    await worker.close();
  },
);

test("a refused heartbeat ends the job at once, and it may be retried", async () => {
  const { verdict } = await transcoder.encode(longWav(), { heartbeatStatus: () => 422 });
  expect(verdict.body).toMatchObject({ reason: "report_refused", retryable: true });
});

test("409 from storage means a lost lease, after which no report follows", async () => {
  let reports = 0;
  const worker = await startGatewayProxy(sweepWav(1), {
    output(response) {
      response.writeHead(409).end();
      return true;
    },
    verdictStatus(count) {
      reports = count;
      return 200;
    },
  });
  await transcoder.post(worker.job);
  await expect.poll(() => transcoder.log()).toMatch(new RegExp(`job_abandoned.*"job":"${worker.track}"`));
  expect(reports).toBe(0);
  await worker.close();
});

test("no log line contains a ticket or a URL", async () => {
  const worker = await startGatewayProxy(await readFile(sources.text.path));
  await transcoder.post(worker.job);
  await worker.verdict;
  await worker.close();
  expect(transcoder.log()).toContain(String(worker.job.job));
  expect(transcoder.log()).not.toContain(String(worker.job.ticket));
  expect(transcoder.log()).not.toContain("http");
});

test("an idle connection stays open longer than workerd keeps it, which is five seconds", async () => {
  const { headers } = await fetch(`${transcoder.url}/healthz`);
  expect(headers.get("Keep-Alive")).toBe("timeout=60");
});
