import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guardedInput } from "../../workers/transcoder/probe.ts";
import type { Sniffed } from "../../workers/transcoder/sniff.ts";
import { ffmpeg } from "../support/ffmpeg.ts";
import { isFull } from "../support/repeats.ts";
import { makeSources, type Sources } from "../support/sources.ts";
import { playlistsNaming, startStranger } from "../support/stranger.ts";
import { startTranscoder, type Transcoder } from "./transcoder-process.ts";

let sources: Sources;
let stranger: Awaited<ReturnType<typeof startStranger>>;
let transcoder: Transcoder;

beforeAll(async () => {
  stranger = await startStranger();
  sources = await makeSources();
  const proxy = `http://${stranger.host}`;
  transcoder = await startTranscoder({ http_proxy: proxy, HTTP_PROXY: proxy, ALL_PROXY: proxy });
});
afterAll(async () => {
  await transcoder?.stop();
  stranger?.close();
});

const NOWHERE = { url: "", host: "", port: 0 };

/** An empty ID3 tag hides the content from checks of the first bytes. */
const ID3 = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 0]);

test.for(Object.keys(playlistsNaming(NOWHERE)))(
  "%s named .mp3 causes no request to its address (X56)",
  async (kind) => {
    const text = Buffer.from(playlistsNaming(stranger)[kind] ?? "");
    for (const file of [text, Buffer.concat([ID3, text])]) {
      const { verdict } = await transcoder.encode(file);
      expect(verdict.body).toMatchObject({ reason: "unsupported_format", retryable: false });
    }
    expect(stranger.visits()).toBe(0);
  },
);

/** ffmpeg's message for an input with the transcoder's options. It never succeeds here. */
async function complaint(url: string, demuxer: Sniffed["demuxer"]): Promise<string> {
  const args = ["-nostdin", "-hide_banner", ...guardedInput(url, demuxer), "-f", "null", "-"];
  return promisify(execFile)(ffmpeg.path, args).then(
    () => "",
    ({ stderr }: { stderr: string }) => stderr,
  );
}

const DEMUXERS = ["aiff", "wav", "w64", "flac", "ogg", "mp3", "aac", "mov", "amr", "asf"] as const;

/** The usual run takes each playlist for three demuxers, and each demuxer for three playlists. */
const isTried = (demuxer: number, playlist: number) =>
  isFull || [0, 1, 4].includes((demuxer + playlist) % 10);

test.for(DEMUXERS)("ffmpeg would not follow it even if taken for %s (X56)", async (demuxer) => {
  const texts = Object.values(playlistsNaming(stranger));
  const tried = [...texts.keys()].filter((n) => isTried(DEMUXERS.indexOf(demuxer), n));
  expect(tried.length).toBeGreaterThan(0);
  const server = createServer(({ url }, response) => response.end(texts[Number(url?.slice(1, -4))]));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  for (const n of tried) expect(await complaint(`http://127.0.0.1:${port}/${n}.mp3`, demuxer)).not.toBe("");
  server.close();
  server.closeAllConnections();
  expect(stranger.visits()).toBe(0);
});

test("ffmpeg opens no file and no other protocol, even with audio there (X57)", async () => {
  const { path } = sources.wav;
  for (const url of [
    path,
    `file:${path}`,
    `concat:${path}`,
    `subfile,,start,0,end,0,,:${path}`,
    `async:${path}`,
    `cache:${path}`,
  ])
    expect(await complaint(url, "wav")).toMatch(/whitelist|Protocol not found/);
});

test("a source on another host is never requested (X57)", async () => {
  const { verdict } = await transcoder.encode(await readFile(sources.mp3.path), {
    source(response) {
      response.writeHead(302, { Location: stranger.url }).end();
      return true;
    },
  });
  expect(verdict.body).toMatchObject({ reason: "source_unavailable" });
  expect(stranger.visits()).toBe(0);
});

test("a proxy in the environment sees neither the Worker's requests nor ffmpeg's (X57)", async () => {
  const { verdict } = await transcoder.encode(await readFile(sources.mp3.path));
  expect(verdict.outcome).toBe("finished");
  expect(stranger.visits()).toBe(0);
});
