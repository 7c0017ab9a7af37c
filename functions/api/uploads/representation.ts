import * as z from "zod";
import type { UploadedPart } from "../../../db/objects/port.ts";
import type { UploadRow } from "../../../db/queries/uploads.ts";
import { timestamp } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";

const Status = z.enum(["open", "completing", "ready", "used", "failed", "aborted", "expired"]);

const base = {
  id: z.int(),
  status: Status,
  filename: z.string(),
  size: z.int().describe("Bytes."),
  type: z.string(),
  last_modified: z.int().nullable(),
  part_size: z.int().describe("Bytes of each part except the last. 5 MiB once Uppy sends the parts."),
  part_count: z.int(),
  created_at: z.string(),
  expires_at: z.string(),
  companion_url: z
    .url()
    .describe(
      "For an unmodified Uppy on any page: `companionEndpoint` of `@uppy/aws-s3` 6, `endpoint` of 5. It needs no other " +
        "option and no other credential, so it is a secret. It ends with the token's session or with the upload. Leave " +
        "`getChunkSize` alone: each part has 5 MiB, and storage takes no other size.",
    ),
  track_id: z.int().nullable(),
  error: z.string().nullable(),
};

export const Upload = z.strictObject(base).meta({ id: "Upload" });
export type Upload = z.infer<typeof Upload>;

export const Uploads = collectionOf(Upload).meta({ id: "Uploads" });

const Part = z.strictObject({
  number: z.int(),
  size: z.int().meta({ examples: [16_777_216] }),
  etag: z.string(),
});

export const UploadWithParts = z
  .strictObject({ ...base, parts: z.array(Part).describe("Parts that storage has.") })
  .meta({ id: "UploadWithParts" });

export const PartUrls = z
  .strictObject({ urls: z.record(z.string(), z.url()), expires_at: z.string() })
  .meta({ id: "PartUrls" });

export function representUpload(upload: UploadRow, companionUrl: string): Upload {
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
