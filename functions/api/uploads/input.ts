import * as z from "zod";
import { Offset, Paging } from "../../lib/http/paging.ts";
import { about, oneOf, plainIdText, text } from "../../lib/text/fields.ts";
import { MAX_UPLOAD_BYTES, MAX_URLS_A_CALL } from "./limits.ts";

export const UploadId = z.object({ id: plainIdText.describe("Id of the upload session.") });

export const NewUpload = z
  .object({
    filename: text(255)
      .min(1, "must not be empty")
      .meta(about("Name of the file, for people.", "night-train.wav")),
    size: z
      .int()
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ minimum: 1, maximum: MAX_UPLOAD_BYTES })
      .meta(about("Bytes, 4 GiB at most. Storage accepts exactly this size.", 37982144)),
    type: text(100).meta(
      about(
        "Media type, `audio/…`, or `application/octet-stream` for any. The content decides later.",
        "audio/wav",
      ),
    ),
    last_modified: z
      .int()
      .min(0)
      .nullish()
      .meta(about("Milliseconds since 1970, for recognizing the file on resuming.", 1794996400000)),
  })
  .meta({ id: "NewUpload" });

/** A part's ETag from storage, quoted or not. Other characters would break the XML for storage. */
export const PartEtag = z.string().regex(/^[\x21-\x7e]{1,100}$/, "is not an ETag");

const PartNumber = z.int().min(1).max(10_000);

export const PartNumbers = z
  .object({
    numbers: z
      .array(PartNumber)
      .min(1)
      .max(MAX_URLS_A_CALL)
      .meta(about("Parts that get an address, from 1.", [1, 2, 3])),
  })
  .meta({ id: "PartNumbers" });

export const CompletedParts = z
  .object({
    parts: z
      .array(
        z.object({
          number: PartNumber.meta(about("Number of the part, from 1.", 1)),
          etag: PartEtag.meta(
            about("Storage's ETag of the part, quoted or not.", '"9a0364b9e99bb480dd25e1f0284c8555"'),
          ),
        }),
      )
      .max(10_000)
      .describe("All parts, in order."),
  })
  .meta({ id: "CompletedParts" });

export const UploadFilter = z.object({
  ...Paging.shape,
  ...Offset.shape,
  status: oneOf(["open", "completing", "ready", "used", "failed", "aborted", "expired"])
    .optional()
    .describe("Lists only sessions with this status."),
});
