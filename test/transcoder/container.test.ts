import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isFull } from "../support/repeats.ts";
import { makeSources, SECONDS, type Sources } from "../support/sources.ts";
import { type RunningContainer, startContainer } from "./container/container.ts";
import { buildImage } from "./container/image.ts";

/** Milliseconds. The first build compiles ffmpeg: minutes on two idle cores, many on busy ones. */
const BUILD_PATIENCE_MS = 30 * 60_000;

describe.runIf(isFull)("the transcoder's image, in a container (npm test -- --full)", () => {
  let container: RunningContainer;
  let sources: Sources;

  beforeAll(async () => {
    buildImage();
    sources = await makeSources();
    container = startContainer();
  }, BUILD_PATIENCE_MS);
  afterAll(() => container?.stop());

  test.for([
    ["wav", "wav"],
    ["w64", "wav"],
    ["aiff", "aiff"],
    ["flac", "flac"],
    ["ogg", "ogg"],
    ["opus", "ogg"],
    ["mp2", "mp2"],
    ["mp3", "mp3"],
    ["taggedMp3", "mp3"],
    ["m4a", "aac"],
    ["aac", "aac"],
    ["amr", "amr"],
    ["amrInMp4", "amr"],
    ["wma", "wma"],
  ] as const)("encodes %s, with the gateway as its only network", async ([name, family]) => {
    const { verdict, outputs, refusals } = await container.encode(await readFile(sources[name].path));
    expect(verdict).toMatchObject({ outcome: "finished", body: { family, warnings: [] } });
    const { frames, duration_ms } = verdict.body as { frames: number; duration_ms: number };
    if (sources[name].frames !== undefined) expect(frames).toBe(sources[name].frames);
    const expected = family === "amr" ? 3_020 : SECONDS * 1000;
    expect(Math.abs(duration_ms - expected)).toBeLessThan(100);
    expect(outputs).toEqual(expect.arrayContaining(["hls/160/init.mp4", "hls/96/0.m4s", "waveform.png"]));
    expect(refusals).toEqual([]);
  });

  test("has no network but its own loopback", () => {
    const interfaces = container.exec("cat", "/proc/net/dev").split("\n").slice(2);
    expect(interfaces.map((line) => line.trim().split(":")[0])).toEqual(["lo"]);
    expect(container.exec("cat", "/proc/net/route").split("\n")).toHaveLength(1);
  });

  test("runs as nobody, without capabilities and any way to gain one", () => {
    const status = container.exec("cat", "/proc/1/status");
    expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  });

  test("cannot write a file", () => {
    for (const path of ["/app/x", "/usr/local/bin/x", "/etc/x", "/var/x"])
      expect(() => container.exec("touch", path)).toThrow("Read-only file system");
  });
});
