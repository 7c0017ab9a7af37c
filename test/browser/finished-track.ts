import { randomUUID } from "node:crypto";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { api, ledger } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { sweepWav } from "../support/sources/pcm.ts";
import { sql } from "../support/stack.ts";
import { createTrack, putMedia, s3, uploadTrack, waitForEncode } from "../support/tracks.ts";

const SECONDS = 7.3;

interface Encoded {
  media_prefix: string;
  media: object;
  duration_ms: number;
  original_filename: string;
  original_format: string;
  original_content_size: number;
}

/** The only track that this process had encoded, and its files by their names. */
let encoded: Promise<{ row: Encoded; original: Uint8Array; files: Map<string, Uint8Array> }> | undefined;

const encodedOnce = () => {
  encoded ??= encode();
  return encoded;
};

async function encode() {
  const owner = await createUser();
  const original = sweepWav(SECONDS);
  const { id } = await uploadTrack(owner, new Blob([original]));
  await waitForEncode(owner, id);
  const [row] = await sql<Encoded>(
    `select media_prefix, media, duration_ms::float8 as duration_ms, original_filename, original_format,
       original_content_size::float8 as original_content_size
     from tracks where id = $1`,
    [id],
  );
  if (!row) throw new Error("the track is gone");
  const files = new Map<string, Uint8Array>();
  const place = { Bucket: MEDIA_BUCKET, Prefix: row.media_prefix };
  for (const { Key = "" } of (await s3.send(new ListObjectsV2Command(place))).Contents ?? []) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: MEDIA_BUCKET, Key }));
    if (Body) files.set(Key.slice(row.media_prefix.length), await Body.transformToByteArray());
  }
  return { row, original, files };
}

/**
 * Creates a track that plays for seven seconds, with fields of `POST /tracks`. Its files are copies of one encode's,
 * because the pages are the same and each encode runs ffmpeg three times. Each track has its own original, because
 * another track's end would delete a shared one.
 */
export async function finishedTrack(owner: Person, fields: Record<string, unknown> = {}): Promise<Track> {
  const { row, original, files } = await encodedOnce();
  const { media_prefix: _, media, duration_ms, ...file } = row;
  const { sharing = "public", artist, ...others } = fields;
  const original_key = `in/${owner.id}/${randomUUID()}`;
  await s3.send(new PutObjectCommand({ Bucket: UPLOADS_BUCKET, Key: original_key, Body: original }));
  const { id, prefix } = await createTrack(owner, { ...file, original_key, title: "A song", sharing });
  await Promise.all(Array.from(files, ([name, bytes]) => putMedia(prefix + name, bytes)));
  const track = { ...others, ...(artist !== undefined && { metadata_artist: artist }) };
  const { status } = await api.as(owner).put(`/tracks/${id}`, { json: { track } });
  if (status !== 200) throw new Error(`the track's fields were answered ${status}`);
  await sql(
    "update tracks set state = 'finished', duration_ms = $2, media_prefix = $3, media = $4 where id = $1",
    [id, duration_ms, prefix, JSON.stringify(media)],
  );
  await sql("update encoding_jobs set state = 'done', progress = 1 where track_id = $1", [id]);
  ledger.claimed.add(id);
  return (await api.as(owner).get<Track>(`/tracks/${id}`)).body;
}
