import * as z from "zod";
import { Offset, Paging } from "../../lib/http/paging.ts";
import { oneOf, plainIdText, text } from "../../lib/text/fields.ts";
import { MAX_UPLOAD_BYTES, MAX_URLS_A_CALL } from "./limits.ts";

export const UploadId = z.object({ id: plainIdText.describe("Id of the upload session.") });

export const NewUpload = z
  .object({
    filename: text(255).min(1, "must not be empty"),
    size: z
      .int()
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ minimum: 1, maximum: MAX_UPLOAD_BYTES })
      .describe("Bytes, 4 GiB at most. Storage accepts exactly this size."),
    type: text(100).describe("Media type, `audio/…`. The content decides later."),
    last_modified: z
      .int()
      .min(0)
      .nullish()
      .describe("Milliseconds since 1970, for recognizing the file on resuming."),
  })
  .meta({ id: "NewUpload" });

/** A part's ETag from storage, quoted or not. Other characters would break the XML for storage. */
export const PartEtag = z.string().regex(/^[\x21-\x7e]{1,100}$/, "is not an ETag");

const PartNumber = z.int().min(1).max(10_000);

export const PartNumbers = z
  .object({ numbers: z.array(PartNumber).min(1).max(MAX_URLS_A_CALL) })
  .meta({ id: "PartNumbers" });

export const CompletedParts = z
  .object({ parts: z.array(z.object({ number: PartNumber, etag: PartEtag })).max(10_000) })
  .meta({ id: "CompletedParts" });

export const UploadFilter = z.object({
  ...Paging.shape,
  ...Offset.shape,
  status: oneOf(["open", "completing", "ready", "used", "failed", "aborted", "expired"])
    .optional()
    .describe("Lists only sessions with this status."),
});
