import * as z from "zod";
import type { UploadedPart } from "../../../db/objects/port.ts";
import type { UploadRow } from "../../../db/queries/uploads.ts";
import { timestamp } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import { CreatedAt, resourceId } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";

const Status = z
  .enum(["open", "completing", "ready", "used", "failed", "aborted", "expired"])
  .describe(
    "`open` takes parts, `completing` joins them, `ready` can become a track, and `used` has. The others have ended.",
  );

const base = {
  id: resourceId(338914811904200),
  status: Status,
  filename: z.string().meta(about("Name of the file, for people.", "night-train.wav")),
  size: z.int().meta(about("Bytes.", 37982144)),
  type: z.string().meta(about("Media type that was announced.", "audio/wav")),
  last_modified: z
    .int()
    .nullable()
    .meta(about("The file's own time, in milliseconds since 1970; null if not given.", 1794996400000)),
  part_size: z
    .int()
    .meta(about("Bytes of each part except the last. 5 MiB once Uppy sends the parts.", 16777216)),
  part_count: z.int().meta(about("Parts to send.", 3)),
  created_at: CreatedAt,
  expires_at: z.string().meta(about("UTC.", "2026/11/24 12:00:00 +0000")),
  companion_url: z
    .url()
    .meta(
      about(
        "For an unmodified Uppy on any page: `companionEndpoint` of `@uppy/aws-s3` 6, `endpoint` of 5. It needs no other " +
          "option and no other credential, so it is a secret. It ends with the token's session or with the upload. Leave " +
          "`getChunkSize` alone: each part has 5 MiB, and storage takes no other size.",
        "https://api.soundpost.example/uploads/companion/eyJh",
      ),
    ),
  track_id: z
    .int()
    .nullable()
    .meta(about("The track made from the upload; null until then.", 338914811904001)),
  error: z.string().nullable().meta(about("Why the upload failed; null if it did not.", null)),
};

export const Upload = z.strictObject(base).meta({ id: "Upload" });
export type Upload = z.infer<typeof Upload>;

/** The address is a key to the upload, so a token that only reads does not get it. */
const read = {
  ...base,
  companion_url: base.companion_url
    .nullable()
    .meta(
      about(
        "As when the upload was opened; null for a token without the scope `tracks`.",
        "https://api.soundpost.example/uploads/companion/eyJh",
      ),
    ),
};

const ReadUpload = z.strictObject(read).meta({ id: "ReadUpload" });
export type ReadUpload = z.infer<typeof ReadUpload>;

export const Uploads = collectionOf(ReadUpload, "uploads").meta({ id: "Uploads" });

const Part = z.strictObject({
  number: z.int().meta(about("Number of the part, from 1.", 1)),
  size: z.int().meta({ description: "Bytes.", examples: [16_777_216] }),
  etag: z
    .string()
    .meta(about("Storage's ETag of the part, quoted or not.", '"9a0364b9e99bb480dd25e1f0284c8555"')),
});

export const UploadWithParts = z
  .strictObject({ ...read, parts: z.array(Part).describe("Parts that storage has.") })
  .meta({ id: "UploadWithParts" });

export const PartUrls = z
  .strictObject({
    urls: z.record(z.string(), z.url()).meta(
      about("Addresses by number of the part. PUT the bytes there.", {
        "1": "https://storage.example/part?partNumber=1",
      }),
    ),
    expires_at: z.string().meta(about("UTC, an hour later.", "2026/11/23 13:00:00 +0000")),
  })
  .meta({ id: "PartUrls" });

export function representUpload<Url extends string | null>(upload: UploadRow, companionUrl: Url) {
  return {
    id: upload.id,
    status: upload.status,
    filename: upload.filename,
    size: upload.size,
    type: upload.type,
    last_modified: upload.last_modified,
    part_size: upload.part_size,
    part_count: upload.part_count,
    created_at: timestamp(upload.created_at),
    expires_at: timestamp(upload.expires_at),
    companion_url: companionUrl,
    track_id: upload.track_id,
    error: upload.error,
  };
}

export const representParts = (parts: UploadedPart[]) =>
  parts.map(({ number, size, etag }) => ({ number, size, etag }));
