import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { mediaPrefix } from "../../db/objects/keys.ts";
import { s3Client } from "../../db/objects/s3-client.ts";
import type { Media } from "../../db/queries/media.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { newSecret } from "../../functions/api/tracks/secret.ts";
import type { Streams } from "../../functions/api/tracks/streams.ts";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { api, ledger } from "./api.ts";
import type { Person } from "./people.ts";
import { clicks, wavFile } from "./sources/pcm.ts";
import { SECONDS, type SourceFile } from "./sources.ts";
import { sql, stack, type TestStack } from "./stack.ts";

/** Opens a session and PUTs every part. */
export async function uploadAllParts(who: Person, file: Blob, filename: string) {
  const opened = await api
    .as(who)
    .post<Upload>("/uploads", { json: { filename, size: file.size, type: "audio/mpeg" } });
  const upload = opened.body;
  const numbers = Array.from({ length: upload.part_count }, (_, index) => index + 1);
  const signed = await api
    .as(who)
    .post<{ urls: Record<string, string> }>(`/uploads/${upload.id}/parts`, { json: { numbers } });
  const parts: { number: number; etag: string }[] = [];
  for (const number of numbers) {
    const body = file.slice((number - 1) * upload.part_size, number * upload.part_size);
    const stored = await fetch(signed.body.urls[number] ?? "", { method: "PUT", body });
    if (!stored.ok) throw new Error(`part ${number}: ${stored.status} ${await stored.text()}`);
    parts.push({ number, etag: stored.headers.get("ETag") ?? "" });
  }
  return { upload, parts };
}

/** A session in state `ready`. */
export async function createReadyUpload(
  who: Person,
  source: Blob | SourceFile,
  filename?: string,
): Promise<Upload> {
  const file = source instanceof Blob ? source : await openAsBlob(source.path);
  const name = filename ?? (source instanceof Blob ? "song.wav" : basename(source.path));
  const { upload, parts } = await uploadAllParts(who, file, name);
  return (await api.as(who).post<Upload>(`/uploads/${upload.id}/complete`, { json: { parts } })).body;
}

/** A track in `processing`, as `POST /tracks` returned it. */
export async function uploadTrack(
  who: Person,
  source: Blob | SourceFile,
  fields: Record<string, unknown> = {},
): Promise<Track> {
  const upload = await createReadyUpload(who, source);
  const json = { track: { upload_id: upload.id, title: "A song", ...fields } };
  return (await api.as(who).post<Track>("/tracks", { json })).body;
}

/** Waits until the encode ends, in success or failure. */
export async function waitForEncode(who: Person, id: number): Promise<Track> {
  for (;;) {
    const { body } = await api.as(who).get<Track>(`/tracks/${id}`);
    if (body.state !== "processing") return body;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

export async function uploadFinishedTrack(who: Person, fields: Record<string, unknown> = {}): Promise<Track> {
  return waitForEncode(who, (await uploadTrack(who, shortWav(SECONDS), fields)).id);
}

export const streamsOf = async (who: Person, id: number): Promise<Streams> =>
  (await api.as(who).get<Streams>(`/tracks/${id}/streams`)).body;

/** Encodes in a moment. Tests that listen use those of `makeSources`. */
export function shortWav(seconds = 0.5): Blob {
  const made = SHORT_WAVS.get(seconds) ?? new Blob([wavOf(seconds)]);
  SHORT_WAVS.set(seconds, made);
  return made;
}

/** A blob never changes, so tests share it. */
const SHORT_WAVS = new Map<number, Blob>();

const wavOf = (seconds: number) =>
  new Uint8Array(wavFile(clicks(Math.round(seconds * 44_100), 44_100), 44_100));

/** Not audio, so the transcoder refuses it at once. For tests that only need a track. */
export const words = (): Blob => new Blob(["These are only words.\n".repeat(20)]);

/** Direct access to a stack's object store. */
export const storageOf = ({ urls, secrets }: Pick<TestStack, "urls" | "secrets">) =>
  s3Client({
    S3_ENDPOINT: urls.objects,
    S3_ACCESS_KEY_ID: secrets.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: secrets.S3_SECRET_ACCESS_KEY,
    S3_UPLOADS_BUCKET: UPLOADS_BUCKET,
    S3_MEDIA_BUCKET: MEDIA_BUCKET,
  });

export const s3 = storageOf(stack);

export const putMedia = (key: string, body: Uint8Array) =>
  s3.send(new PutObjectCommand({ Bucket: MEDIA_BUCKET, Key: key, Body: body }));

/** Media of a ten-second track, as the transcoder reports it, with an MP3 in three parts. */
export const STORED_MEDIA: Media = {
  frames: 441_000,
  sample_rate: 44_100,
  renditions: {
    aac_160: { bandwidth: 170_000, average_bandwidth: 160_000, codecs: "mp4a.40.2" },
    aac_96: { bandwidth: 100_000, average_bandwidth: 96_000, codecs: "mp4a.40.2" },
    mp3_128: { bytes: 2_500, part_bytes: 1_000 },
    preview_mp3_128: { bytes: 700 },
  },
};

export interface StoredTrack {
  id: number;
  /** The track's secret token. */
  secret: string;
  /** Prefix of its media, whether stored or not. */
  prefix: string;
}

/** Inserts a track that no transcoder sees, by default in `processing`. `columns` override the row's. */
export async function createTrack(
  owner: Person,
  columns: Record<string, unknown> = {},
): Promise<StoredTrack> {
  const { token: secret, stored } = newSecret(stack.secrets);
  const lease = randomUUID();
  const state = columns.state ?? "processing";
  const row = {
    user_id: owner.id,
    title: "A stored song",
    permalink: `stored-${lease}`,
    secret_hash: stored.secretHash,
    secret_sealed: stored.secretSealed,
    original_key: `in/${owner.id}/${lease}`,
    original_filename: "song.wav",
    original_content_size: 1_000,
    state,
    ...columns,
  };
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  const [made] = await sql<{ id: number }>(
    `with made as (insert into tracks (${names}) values (${places}) returning id), job as (
       insert into encoding_jobs (track_id, state, next_run_at, attempt, failure_reason)
       select id, $${names.length + 1}, 'infinity', $${names.length + 2}, $${names.length + 3} from made)
     select id::float8 as id from made`,
    [
      ...Object.values(row),
      state === "failed" ? "failed" : "queued",
      state === "failed" ? 1 : 0,
      state === "failed" ? "undecodable" : null,
    ],
  );
  const id = made?.id ?? 0;
  const prefix = mediaPrefix(id, lease);
  return { id, secret, prefix };
}

/** Inserts a `finished` track. It plays once its media are stored. */
export async function createPlayableTrack(
  owner: Person,
  columns: Record<string, unknown> = {},
): Promise<StoredTrack> {
  const track = await createTrack(owner, columns);
  await sql(
    "update tracks set state = 'finished', duration_ms = 10000, media_prefix = $2, media = $3 where id = $1",
    [track.id, track.prefix, JSON.stringify(STORED_MEDIA)],
  );
  await sql("update encoding_jobs set state = 'done', progress = 1 where track_id = $1", [track.id]);
  ledger.claimed.add(track.id);
  return track;
}

/** Inserts a track that failed for our reasons. */
export async function createRetryableTrack(
  owner: Person,
  columns: Record<string, unknown> = {},
): Promise<StoredTrack> {
  const track = await createTrack(owner, { state: "failed", ...columns });
  await sql("update encoding_jobs set failure_retryable = true where track_id = $1", [track.id]);
  return track;
}
