import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import bundled from "@ffmpeg-installer/ffmpeg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canConfine } from "../../workers/transcoder/confinement.ts";
import { expectOwnEnd, type Ffmpeg, findFfmpeg, startFfmpeg } from "../../workers/transcoder/ffmpeg.ts";
import { casesOf } from "../support/repeats.ts";
import { makeSources, SECONDS, type Sources } from "../support/sources.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

const isPossible = await canConfine(bundled.path);
if (!isPossible)
  console.warn(
    "This kernel lets us make no namespaces: that ffmpeg is confined in them cannot be shown here",
  );

const directory = mkdtempSync(join(tmpdir(), "soundpost-confined-"));
/** The programs of a machine without its own ffmpeg. */
const tools = join(directory, "bin");
let sources: Sources;
let wav: Buffer;
let hits = 0;
const stranger = createServer((_request, response) => {
  hits++;
  response.end(wav);
});

beforeAll(async () => {
  sources = await makeSources();
  wav = await readFile(sources.wav.path);
  mkdirSync(tools);
  for (const path of ["/bin/sh", "/usr/bin/nice", "/usr/bin/unshare", "/bin/mount"])
    symlinkSync(path, join(tools, basename(path)));
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  stranger.close();
  rmSync(directory, { recursive: true, force: true });
});

const program = (confined: boolean): Ffmpeg => ({
  path: bundled.path,
  version: "2018",
  source: "bundled",
  confined,
});

/** Its exit code and the number of bytes it decoded. */
async function run(confined: boolean, args: string[], input?: Buffer) {
  const started = startFfmpeg(program(confined), args, { signal: AbortSignal.timeout(60_000) });
  started.stdin.end(input);
  let bytes = 0;
  for await (const chunk of started.stdout) bytes += chunk.length;
  return { code: (await started.exited).code, bytes, said: started.lastLines().join("\n") };
}

const decode = (url: string) => ["-i", url, "-f", "s16le", "pipe:1"];

describe.runIf(isPossible)("a confined ffmpeg", () => {
  test("cannot open a network address, unlike an unconfined one", async () => {
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
    expect(await run(true, decode(url))).toMatchObject({ code: 1, bytes: 0 });
    expect(hits).toBe(0);
    expect((await run(false, decode(url))).bytes).toBeGreaterThan(0);
    expect(hits).toBeGreaterThan(0);
  });

  test("cannot open a file except its own program's, unlike an unconfined one", async () => {
    for (const path of [
      sources.wav.path,
      "/etc/passwd",
      "/proc/self/environ",
      `/proc/${process.pid}/environ`,
    ]) {
      const { code, bytes, said } = await run(true, decode(`file:${path}`));
      expect([code, bytes, said]).toEqual([1, 0, expect.stringContaining("No such file or directory")]);
    }
    expect((await run(false, decode(`file:${sources.wav.path}`))).bytes).toBeGreaterThan(0);
  });

  test("cannot write a file, not even its own program's", async () => {
    for (const path of ["/out.wav", "/tmp/out.wav", "/ffmpeg", "/package.json"]) {
      const { code, said } = await run(true, ["-y", "-f", "wav", "-i", "pipe:0", "-f", "wav", path], wav);
      expect([path, code, said]).toEqual([
        path,
        1,
        expect.stringMatching(/Read-only file system|No such file or directory|Text file busy/),
      ]);
    }
    const out = join(directory, "out.txt");
    await writeFile(out, "as it was");
    await run(true, ["-y", "-f", "wav", "-i", "pipe:0", "-f", "wav", out], wav);
    expect(await readFile(out, "utf8")).toBe("as it was");
  });

  test("still decodes its standard input", async () => {
    const { code, bytes } = await run(true, ["-f", "wav", "-i", "pipe:0", "-f", "s16le", "pipe:1"], wav);
    expect([code, bytes]).toEqual([0, (sources.wav.frames ?? 0) * 4]);
  });

  test("blames no file while its directory is gone, as while another is installed", async () => {
    const gone = { ...program(true), path: join(directory, "gone", "ffmpeg") };
    const { exited } = startFfmpeg(gone, ["-version"], { signal: AbortSignal.timeout(60_000) });
    const exit = await exited;
    expect(() => expectOwnEnd(exit, "ffmpeg")).toThrow("ffmpeg did not start");
  });

  test("ends together with the processes it started", async () => {
    const stop = new AbortController();
    const started = startFfmpeg(program(true), ["-f", "wav", "-i", "pipe:0", "-f", "null", "-"], {
      signal: stop.signal,
    });
    // Larger than a pipe, so it has read some of it.
    await new Promise((read) => started.stdin.write(wav, read));
    stop.abort();
    expect((await started.exited).signal).toBe("SIGKILL");
  });
});

describe("a transcoder without a system ffmpeg", () => {
  let transcoder: Transcoder;

  beforeAll(async () => {
    transcoder = await startTranscoder({ PATH: tools, FFMPEG_PATH: "" });
  });
  afterAll(() => transcoder?.stop());

  test("reports that it uses the bundled one, and whether it is confined", () => {
    expect(transcoder.announcement.ffmpeg).toMatchObject({ source: "bundled", confined: isPossible });
  });

  // A pipe allows no seeking, so formats with an index are among the first.
  const formats = [
    ["wav", "wav"],
    ["m4a", "aac"],
    ["amrInMp4", "amr"],
    ["wma", "wma"],
    ["aiff", "aiff"],
    ["flac", "flac"],
    ["ogg", "ogg"],
    ["mp2", "mp2"],
    ["mp3", "mp3"],
    ["aac", "aac"],
    ["amr", "amr"],
  ] as const;

  test.for(casesOf(4, formats))("encodes %s from a pipe alone", async ([name, family]) => {
    const { verdict } = await transcoder.encode(await readFile(sources[name].path));
    expect(verdict.body).toMatchObject({ family });
    const { duration_ms } = verdict.body as { duration_ms: number };
    const expected = family === "amr" ? 3_020 : SECONDS * 1000;
    expect(Math.abs(duration_ms - expected)).toBeLessThan(100);
  });
});

test("a system ffmpeg is preferred and runs unconfined", async () => {
  const found = await findFfmpeg();
  expect(found.confined).toBe(found.source === "bundled" && isPossible);
});
