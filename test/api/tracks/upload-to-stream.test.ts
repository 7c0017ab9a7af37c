import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { ffmpeg } from "../../support/ffmpeg.ts";
import { createUserWithPassword } from "../../support/people.ts";
import { casesOf } from "../../support/repeats.ts";
import { makeSources } from "../../support/sources.ts";
import { streamsOf, uploadTrack, waitForEncode } from "../../support/tracks.ts";

const run = promisify(execFile);

/** A static ffmpeg cannot resolve names. */
const byAddress = (url: string | undefined) => url?.replace("//localhost:", "//127.0.0.1:") ?? "";

/**
 * Samples per channel that ffmpeg decodes from a URL. `frames` cuts the last packet's padding, as browsers do
 * by the edit list.
 */
async function decodeSamples(url: string | undefined, frames?: number): Promise<number> {
  const cut = frames === undefined ? [] : ["-af", `atrim=start=0:end_pts=${frames}`];
  const args = [
    "-v",
    "error",
    "-nostdin",
    "-copyts",
    "-i",
    byAddress(url),
    ...cut,
    "-f",
    "s16le",
    "-ac",
    "2",
    "pipe:1",
  ];
  const { stdout } = await run(ffmpeg.path, args, { encoding: "buffer", maxBuffer: 2 ** 26 });
  return stdout.length / 4;
}

test("a user uploads a file, and it plays to the last sample", async () => {
  const ana = await createUserWithPassword();
  const { flac } = await makeSources();
  const accepted = await uploadTrack(ana, flac, { title: "Été à la mer", genre: "House", sharing: "public" });
  expect(accepted).toMatchObject({
    state: "processing",
    title: "Été à la mer",
    metadata_artist: ana.username,
  });
  expect(accepted.permalink_url).toMatch(new RegExp(`/${ana.username}/ete-a-la-mer$`));

  const track = await waitForEncode(ana, accepted.id);
  expect(track.encoding?.reason).toBeNull();
  expect(track).toMatchObject({ state: "finished", original_format: "flac", access: "playable" });
  const frames = flac.frames ?? 0;
  expect(track.duration).toBe(Math.round((frames / (flac.rate ?? 1)) * 1000));

  const streams = await streamsOf(ana, track.id);
  expect(await decodeSamples(streams.hls_aac_160_url, frames)).toBe(frames);
  expect(await decodeSamples(streams.hls_aac_96_url, frames)).toBe(frames);
  expect(await decodeSamples(streams.preview_mp3_128_url)).toBeGreaterThan(frames - 2000);

  const durations = (await (await fetch(streams.hls_aac_96_url ?? "")).text()).matchAll(/#EXTINF:([\d.]+)/g);
  const total = [...durations].reduce((sum, [, seconds]) => sum + Number(seconds), 0);
  expect(Math.round(total * (flac.rate ?? 0))).toBe(frames);
});

test("the finished track appears with its owner, waveform and list", async () => {
  const ana = await createUserWithPassword();
  const { wav } = await makeSources();
  const track = await waitForEncode(ana, (await uploadTrack(ana, wav)).id);
  const image = await fetch(track.waveform_url ?? "");
  expect(image.headers.get("Content-Type")).toBe("image/png");
  const json = await fetch(track.waveform_url?.replace(/png$/, "json") ?? "");
  const waveform = (await json.json()) as { samples: number[] };
  expect(waveform).toMatchObject({ width: 1800, height: 280 });
  expect(waveform.samples).toHaveLength(1800);
  expect(Math.max(...waveform.samples)).toBeGreaterThan(50);
  const list = await api.as(ana).get<{ id: number }[]>("/me/tracks");
  expect(list.body.map(({ id }) => id)).toEqual([track.id]);
  const me = await api.as(ana).get<{ track_count: number; primary_email_confirmed: boolean }>("/me");
  expect(me.body).toMatchObject({ track_count: 1, primary_email_confirmed: true });
});

/** The tests of the transcoder decode each. */
const FAMILIES = ["amr", "mp2", "aiff", "wav", "flac", "ogg", "mp3", "aac", "wma"] as const;

test.for(casesOf(2, FAMILIES))("%s is recognised by its content and plays", async (family) => {
  const ana = await createUserWithPassword();
  const source = (await makeSources())[family];
  // The name is wrong, the content right.
  const track = await waitForEncode(ana, (await uploadTrack(ana, source)).id);
  expect(track.encoding?.reason).toBeNull();
  expect(track).toMatchObject({ state: "finished", original_format: family });
  const { http_mp3_128_url } = await streamsOf(ana, track.id);
  const mp3 = await fetch(http_mp3_128_url ?? "");
  expect(Number(mp3.headers.get("Content-Length"))).toBeGreaterThan(30_000);
  expect((await mp3.arrayBuffer()).byteLength).toBe(Number(mp3.headers.get("Content-Length")));
});

test.for([
  ["empty audio", "noSamples", "no_audio_stream|undecodable"],
  ["a corrupt file", "corrupt", "undecodable|unreadable_container"],
  ["noise", "noise", "unsupported_format"],
  ["a text renamed .mp3", "text", "unsupported_format"],
  ["a video without sound", "silentVideo", "no_audio_stream"],
] as const)("%s fails with a reason that only the owner sees", async ([, source, reason]) => {
  const ana = await createUserWithPassword();
  const track = await waitForEncode(ana, (await uploadTrack(ana, (await makeSources())[source])).id);
  expect(track.state).toBe("failed");
  expect(track.encoding?.reason?.code).toMatch(new RegExp(`^(${reason})$`));
  const other = await api
    .as(await createUserWithPassword())
    .get<{ encoding?: unknown }>(`/tracks/${track.id}`);
  expect(other.body.encoding).toBeUndefined();
});
