import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { MISSING_FIXES } from "../../workers/build/publish.ts";
import { BUILD_PATIENCE_MS, buildImage, LIMITS, podman, run } from "../support/podman.ts";
import { makeSources, SECONDS, type Sources } from "../support/sources.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { type RunningContainer, startContainer } from "./container.ts";

describe.runIf(inject("hasContainers"))("the transcoder's image, in a container", () => {
  let image: string;
  let container: RunningContainer;
  let sources: Sources;

  beforeAll(async () => {
    run("sh", [join(PROJECT_DIR, "workers/transcoder/image/install.sh")]);
    image = await buildImage("soundpost-transcoder", "workers/transcoder/Dockerfile", "workers/transcoder");
    sources = await makeSources();
    container = await startContainer(image);
  }, BUILD_PATIENCE_MS);
  afterAll(() => {
    container?.stop();
    podman("rmi", "--force", image);
  });

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

  test("lacks no fix of Debian", () => {
    const asRoot = ["--rm", "--network", "host", "--user", "0:0", ...LIMITS];
    expect(podman("run", ...asRoot, image, "sh", "-c", MISSING_FIXES)).toBe("");
  });

  test("cannot write a file", () => {
    for (const path of ["/app/x", "/usr/local/bin/x", "/etc/x", "/var/x"])
      expect(() => container.exec("touch", path)).toThrow("Read-only file system");
  });
});
