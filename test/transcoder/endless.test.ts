import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ffmpeg } from "../support/ffmpeg.ts";
import { makeSources, type Sources } from "../support/sources.ts";
import type { Faults } from "./gateway-proxy.ts";
import { eventually, startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let directory: string;
let transcoder: Transcoder | undefined;

beforeAll(async () => {
  sources = await makeSources();
  directory = await mkdtemp(join(tmpdir(), "endless-"));
});
afterEach(() => transcoder?.stop());
afterAll(() => rm(directory, { recursive: true }));

/**
 * Runs the real ffmpeg, except if its arguments contain `part`: then the shell command, which ignores
 * SIGTERM.
 */
async function ffmpegThat(does: string, part: string): Promise<string> {
  const path = join(directory, `ffmpeg-${part.trim()}`);
  await writeFile(
    path,
    `#!/bin/sh\ncase " $* " in *"${part}"*) trap '' TERM; ${does};; esac\nexec '${ffmpeg.path}' "$@"\n`,
  );
  await chmod(path, 0o755);
  return path;
}

/** Waits until every process of the job is gone. */
async function verdictOf(file: Uint8Array, env: Record<string, string>, faults?: Faults) {
  transcoder = await startTranscoder(env);
  const { encode, ffmpegs } = transcoder;
  const { verdict } = await encode(file, faults);
  await eventually("nothing runs any more", () => ffmpegs().length === 0);
  return verdict.body;
}

const STALLED = { reason: "stalled", retryable: true };
const TIMED_OUT = { reason: "timeout", retryable: true };

test.for([
  ["a probe", "exec sleep 1000", " -dump_separator "],
  ["a decoder", "exec sleep 1000", " -map_metadata "],
  ["an encoder", "exec sleep 1000", " libmp3lame "],
] as const)("%s that hangs for ever is killed, and the job may be retried (X59)", async ([, does, part]) => {
  const env = { FFMPEG_PATH: await ffmpegThat(does, part), STALL_MS: "500" };
  expect(await verdictOf(await readFile(sources.wav.path), env)).toMatchObject(STALLED);
});

test("a decoder that never ends is killed at the deadline, however busy it is (F40, X59)", async () => {
  const does = "while :; do head -c 4000 /dev/zero; sleep 0.1; done";
  const env = { FFMPEG_PATH: await ffmpegThat(does, " -map_metadata "), GRACE_MS: "1000" };
  expect(await verdictOf(await readFile(sources.wav.path), env)).toMatchObject(TIMED_OUT);
});

test("a source that sends a byte at a time is abandoned at the deadline (X59)", async () => {
  const trickle: Faults = {
    source(response, { from, to }) {
      response.writeHead(206, { "Content-Length": to - from });
      const timer = setInterval(() => response.write("\0"), 20);
      response.on("close", () => clearInterval(timer));
      return true;
    },
  };
  const file = await readFile(sources.wav.path);
  expect(await verdictOf(file, { GRACE_MS: "1000" }, trickle)).toMatchObject(TIMED_OUT);
});
