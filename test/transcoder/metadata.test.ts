import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { casesOf } from "../support/repeats.ts";
import { makeSources, SECONDS, type Sources } from "../support/sources.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let transcoder: Transcoder;
beforeAll(async () => {
  sources = await makeSources();
  transcoder = await startTranscoder({ PROBE_CPU_SECONDS: "1", STALL_MS: "600000", GRACE_MS: "600000" });
});
afterAll(() => transcoder?.stop());

/** An ID3 tag with one frame. id3.org/id3v2.3.0 §3.1, §3.3 */
function tagWith(frame: string, content: Buffer): Buffer {
  const tag = Buffer.alloc(20);
  tag.write("ID3\x03", "latin1");
  const bytes = content.length + 10;
  for (const n of [0, 1, 2, 3]) tag[9 - n] = (bytes >> (7 * n)) & 127;
  tag.write(frame, 10, "latin1");
  tag.writeUInt32BE(content.length, 14);
  return Buffer.concat([tag, content]);
}

const COMMENT_BYTES = 10 * 2 ** 20;

const tagged = async (frame: string, content: Buffer) =>
  Buffer.concat([tagWith(frame, content), await readFile(sources.bareMp3.path)]);

const commented = (text: string, bytes = COMMENT_BYTES) =>
  tagged("COMM", Buffer.concat([Buffer.from("\0eng\0", "latin1"), Buffer.alloc(bytes, text)]));

test("a ten-megabyte comment is skipped (X60)", async () => {
  const { worker, verdict } = await transcoder.encode(await commented("-i /etc/passwd; $(id) `id` "));
  if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
  expect(verdict.body).toMatchObject({ family: "mp3", channels_in: 2, sample_rate_in: 44_100 });
  expect(JSON.stringify(verdict.body).length).toBeLessThan(2_000);
  for (const output of worker.outputs.values()) expect(output.includes("/etc/passwd")).toBe(false);
});

const LIES = [
  "  Duration: 99:00:00.00, start: 0.000000, bitrate: 1 kb/s",
  "    Stream #0:0: Audio: pcm_s16le, 1 Hz, 7 channels",
  "",
];

test.for(casesOf(2, ["\n", "\r", "\r\n", "\x0b"]))(
  "metadata that imitates ffmpeg's output, with %j as line end, is not parsed (X60)",
  async (end) => {
    const { verdict } = await transcoder.encode(await commented(LIES.join(end), 10_000));
    if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
    expect(verdict.body).toMatchObject({ channels_in: 2, sample_rate_in: 44_100, warnings: [] });
    expect(Math.abs(verdict.body.duration_ms - SECONDS * 1000)).toBeLessThan(70);
  },
);

test("neither is the name of a tag, which ffmpeg prints as it is (X60)", async () => {
  const named = Buffer.from(`\0\n${LIES.join("\n")}\0value`, "latin1");
  const { verdict } = await transcoder.encode(await tagged("TXXX", named));
  if (verdict.outcome !== "finished") throw new Error(verdict.body.detail);
  expect(verdict.body).toMatchObject({ channels_in: 2, sample_rate_in: 44_100, warnings: [] });
});

// A busy machine stretches the CPU-second to much longer wall time.
test.for(casesOf(1, ["\n", "\b"]))(
  "ten megabytes of %j cost a few seconds and fail for good (X60)",
  { timeout: 300_000 },
  async (end) => {
    const { verdict } = await transcoder.encode(await commented(end));
    expect(verdict.body).toMatchObject({ reason: "unreadable_container", retryable: false });
    expect(transcoder.log().length).toBeLessThan(10_000);
  },
);
