import * as z from "zod";
import { about, documentedAs } from "../../lib/text/fields.ts";
import { PartEtag } from "./input.ts";

/** Parameters, bodies and replies of Uppy's calls. */

export const Token = z.object({ token: z.string().max(200).describe("The end of `companion_url`.") });
export const Session = Token.extend({
  uploadId: z.string().max(30).describe("From the reply of `companionBegin`."),
});
export const Part = Session.extend({
  number: z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/)
    .transform(Number)
    .meta({ ...documentedAs({ type: "integer", minimum: 1 }), description: "Number of the part, from 1." }),
});
export const Key = z.object({ key: z.string().max(200).describe("From the reply of `companionBegin`.") });

export const Created = z
  .strictObject({
    key: z.string().meta(about("Part of the protocol; send it back unchanged.", "uploads/338914811904200")),
    uploadId: z.string().meta(about("The session, as Uppy calls it.", "338914811904200")),
    bucket: z.string().meta(about("Part of the protocol; it means nothing here.", "uploads")),
  })
  .meta({ id: "CompanionUpload" });
export const Parts = z
  .array(
    z.strictObject({
      PartNumber: z.int().meta(about("From 1.", 1)),
      Size: z.int().meta(about("Bytes.", 16777216)),
      ETag: z.string().meta(about("Storage's ETag of the part.", '"9a0364b9e99bb480dd25e1f0284c8555"')),
    }),
  )
  .meta({ id: "CompanionParts" });
export const PartUrl = z
  .strictObject({
    url: z.url().meta(about("PUT the part's bytes there.", "https://storage.example/part?partNumber=1")),
    expires: z.int().meta(about("Seconds until the address expires.", 3600)),
  })
  .meta({ id: "CompanionPartUrl" });
export const Completed = z
  .strictObject({
    location: z
      .string()
      .meta(about("The upload session.", "https://api.soundpost.example/uploads/338914811904200")),
    key: z.string().meta(about("Part of the protocol; send it back unchanged.", "uploads/338914811904200")),
    bucket: z.string().meta(about("Part of the protocol; it means nothing here.", "uploads")),
  })
  .meta({ id: "CompanionCompleted" });
export const Nothing = z.strictObject({}).meta({ id: "Empty" });

export const CreateBody = z
  .object({
    filename: z.string().optional().meta(about("Name of the file, for people.", "night-train.wav")),
    type: z.string().nullish().meta(about("Ignored: the session knows it.", "audio/wav")),
  })
  .meta({ id: "CompanionCreate" });
export const CompleteBody = z
  .object({
    parts: z
      .array(
        z.object({
          PartNumber: z.int().min(1).max(10_000).meta(about("From 1.", 1)),
          ETag: PartEtag.meta(about("Storage's ETag of the part.", '"9a0364b9e99bb480dd25e1f0284c8555"')),
        }),
      )
      .max(10_000)
      .describe("All parts, in order."),
  })
  .meta({ id: "CompanionComplete" });

export const FileTarget = z
  .strictObject({
    method: z
      .literal("PUT")
      .meta(about("Send the bytes with this method. The same address takes a form by POST.", "PUT")),
    url: z
      .url()
      .meta(about("Where the file is sent.", "https://api.soundpost.example/uploads/companion/eyJh/s3/form")),
    fields: z
      .strictObject({
        key: z
          .string()
          .meta(about("Part of the protocol; send it back unchanged.", "uploads/338914811904200")),
      })
      .describe("Fields of the form, before the file."),
    headers: z
      .strictObject({
        "Content-Type": z.string().meta(about("The session's media type.", "audio/wav")),
      })
      .describe("Headers to send with the bytes."),
  })
  .meta({ id: "CompanionFile" });
export const FileBody = z
  .string()
  .meta({ description: "The audio.", examples: ["(bytes)"], format: "binary" });
export const FormBody = z.object({ file: FileBody }).meta({ id: "CompanionFormFile" });
