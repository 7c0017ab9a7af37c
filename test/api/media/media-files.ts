import { randomBytes } from "node:crypto";
import { timestampTag } from "../../../functions/api/media/mp3-segments.ts";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import type { Person } from "../../support/people.ts";
import { createPlayableTrack, putMedia, STORED_MEDIA, type StoredTrack } from "../../support/tracks.ts";

/** The complete MP3: three parts of 1,000, 1,000 and 500 bytes. */
export const MP3 = randomBytes(2_500);

/** The HLS form of the MP3: a tag, then everything after the Info frame. */
const MP3_SEGMENT = Buffer.concat([timestampTag(STORED_MEDIA, 0), MP3.subarray(417)]);

const PREVIEW = randomBytes(700);

const SEGMENT = randomBytes(400);

const PNG = randomBytes(300);

export async function playable(owner: Person, columns: Record<string, unknown> = {}): Promise<StoredTrack> {
  const track = await createPlayableTrack(owner, columns);
  const files: [string, Buffer][] = [
    ["mp3/0.mp3", MP3.subarray(0, 1_000)],
    ["mp3/1.mp3", MP3.subarray(1_000, 2_000)],
    ["mp3/2.mp3", MP3.subarray(2_000)],
    ["preview.mp3", PREVIEW],
    ["waveform.png", PNG],
    ["waveform.json", Buffer.from('{"width":1800,"height":280,"samples":[]}')],
    ...["160", "96"].flatMap((rate): [string, Buffer][] => [
      [`hls/${rate}/init.mp4`, SEGMENT],
      [`hls/${rate}/0.m4s`, SEGMENT],
    ]),
  ];
  await Promise.all(files.map(([name, bytes]) => putMedia(track.prefix + name, bytes)));
  return track;
}

interface Got {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

export const get = async (
  url: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Got> => {
  const reply = await fetch(url, { headers, method });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
};

export const filesOf = (
  links: Required<Streams>,
  waveform: string,
): Record<string, [url: string, content: Buffer, type: string]> => ({
  mp3: [links.http_mp3_128_url, MP3, "audio/mpeg"],
  "segment of the MP3": [new URL("audio/0.mp3", links.hls_mp3_128_url).href, MP3_SEGMENT, "audio/mpeg"],
  preview: [links.preview_mp3_128_url, PREVIEW, "audio/mpeg"],
  segment: [links.hls_aac_96_url.replace("playlist.m3u8", "0.m4s"), SEGMENT, "audio/mp4"],
  "first segment of the other bitrate": [
    links.hls_aac_160_url.replace("master.m3u8", "160/init.mp4"),
    SEGMENT,
    "audio/mp4",
  ],
  waveform: [waveform, PNG, "image/png"],
});

export const FILES = [
  "mp3",
  "segment of the MP3",
  "preview",
  "segment",
  "first segment of the other bitrate",
  "waveform",
];
