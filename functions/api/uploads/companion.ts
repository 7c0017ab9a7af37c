import type { Context } from "hono";
import * as z from "zod";
import { openStorage } from "../../../db/objects/open.ts";
import { findCompanionUpload, type UploadRow } from "../../../db/queries/uploads.ts";
import type { AppEnv, Env, Viewer } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { refuseJsonp } from "../../lib/http/format/negotiate.ts";
import { Routes } from "../../lib/http/route.ts";
import { sign, verify } from "../../lib/security/signing.ts";
import { about, documentedAs } from "../../lib/text/fields.ts";
import { abortUpload } from "./abort.ts";
import { receiveCompanionForm } from "./companion-form.ts";
import { planForUppy, presignUppyPart } from "./companion-parts.ts";
import { completeUpload } from "./complete.ts";
import { PartEtag } from "./input.ts";
import { PART_URL_TTL_S } from "./limits.ts";
import { requireOpen, storedParts } from "./parts.ts";

/**
 * Uppy sends no credential of ours, so the URL is signed. It is valid for one upload, until the session ends.
 */
export const companionUrl = (
  env: Pick<Env, "SIGNING_KEYS" | "API_URL">,
  uploadId: number,
  { sessionId }: Viewer,
): string => `${env.API_URL}/uploads/companion/${sign(env, "companion", `${uploadId} ${sessionId}`)}`;

const Token = z.object({ token: z.string().max(200).describe("The end of `companion_url`.") });
const Session = Token.extend({
  uploadId: z.string().max(30).describe("From the reply of `companionBegin`."),
});
const Part = Session.extend({
  number: z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/)
    .transform(Number)
    .meta({ ...documentedAs({ type: "integer", minimum: 1 }), description: "Number of the part, from 1." }),
});
const Key = z.object({ key: z.string().max(200).describe("From the reply of `companionBegin`.") });

const Created = z
  .strictObject({
    key: z.string().meta(about("Part of the protocol; send it back unchanged.", "uploads/338914811904200")),
    uploadId: z.string().meta(about("The session, as Uppy calls it.", "338914811904200")),
    bucket: z.string().meta(about("Part of the protocol; it means nothing here.", "uploads")),
  })
  .meta({ id: "CompanionUpload" });
const Parts = z
  .array(
    z.strictObject({
      PartNumber: z.int().meta(about("From 1.", 1)),
      Size: z.int().meta(about("Bytes.", 16777216)),
      ETag: z.string().meta(about("Storage's ETag of the part.", '"9a0364b9e99bb480dd25e1f0284c8555"')),
    }),
  )
  .meta({ id: "CompanionParts" });
const PartUrl = z
  .strictObject({
    url: z.url().meta(about("PUT the part's bytes there.", "https://storage.example/part?partNumber=1")),
    expires: z.int().meta(about("Seconds until the address expires.", 3600)),
  })
  .meta({ id: "CompanionPartUrl" });
const Completed = z
  .strictObject({
    location: z
      .string()
      .meta(about("The upload session.", "https://api.soundpost.example/uploads/338914811904200")),
    key: z.string().meta(about("Part of the protocol; send it back unchanged.", "uploads/338914811904200")),
    bucket: z.string().meta(about("Part of the protocol; it means nothing here.", "uploads")),
  })
  .meta({ id: "CompanionCompleted" });
const Nothing = z.strictObject({}).meta({ id: "Empty" });

const CreateBody = z
  .object({
    filename: z.string().optional().meta(about("Name of the file, for people.", "night-train.wav")),
    type: z.string().nullish().meta(about("Ignored: the session knows it.", "audio/wav")),
  })
  .meta({ id: "CompanionCreate" });
const CompleteBody = z
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

const FormTarget = z
  .strictObject({
    method: z.literal("POST").meta(about("Send the form with this method.", "POST")),
    url: z
      .url()
      .meta(about("Where the form is sent.", "https://api.soundpost.example/uploads/companion/eyJh/s3/form")),
    fields: z
      .strictObject({
        key: z
          .string()
          .meta(about("Part of the protocol; send it back unchanged.", "uploads/338914811904200")),
      })
      .describe("Fields to send before the file."),
  })
  .meta({ id: "CompanionForm" });
const FormBody = z
  .object({ file: z.string().meta({ description: "The audio.", examples: ["(bytes)"], format: "binary" }) })
  .meta({ id: "CompanionFormFile" });

/** Hides storage's own names from unmodified Uppy. */
const BUCKET = "uploads";
const keyOf = (upload: UploadRow) => `uploads/${upload.id}`;

const ENDED = { 409: "The session has ended." };

/**
 * The calls of `@uppy/aws-s3`, below a session's `companion_url`. Uppy's defaults suffice: it sends files of up to
 * 100 MiB by `s3/form` and larger ones by `s3/multipart`, so both are needed.
 */
export const companion = new Routes();

companion.get(
  "/uploads/companion/:token/s3/params",
  {
    operationId: "companionParams",
    summary: "Get the address of a small file (Uppy)",
    description:
      "Uppy sends files of up to 100 MiB in one request. The address takes a form whose `file` has exactly the " +
      "announced size, and completes the upload.",
    auth: "page",
    admit,
    params: Token,
    replies: { 200: FormTarget },
    errors: ENDED,
  },
  async (c, { params: { token } }) => {
    const upload = await sessionOf(c, token);
    requireOpen(upload);
    const url = `${c.env.API_URL}/uploads/companion/${token}/s3/form`;
    return c.json({ method: "POST" as const, url, fields: { key: keyOf(upload) } });
  },
);

// Not a presigned PUT: Uppy 6 ignores the method and sends a form, which R2 does not accept.
companion.post(
  "/uploads/companion/:token/s3/form",
  {
    operationId: "companionSendFile",
    summary: "Send a small file (Uppy)",
    description: "Also completes the upload. Repeating it is harmless.",
    auth: "page",
    admit,
    params: Token,
    ownBody: { schema: FormBody, type: "multipart" },
    replies: { 201: Completed },
    errors: {
      ...ENDED,
      400: "The body is no form.",
      413: "The file is larger than announced.",
      422: "The file is missing, or smaller than announced.",
    },
  },
  async (c, { params }) => {
    const upload = await receiveCompanionForm(c, await sessionOf(c, params.token));
    const location = `${c.env.API_URL}/uploads/${upload.id}`;
    // Uppy 5 fails without an ETag, but does not compare it.
    const headers = { Location: location, ETag: `"${upload.id}"` };
    return c.json({ location, key: keyOf(upload), bucket: BUCKET }, 201, headers);
  },
);

companion.post(
  "/uploads/companion/:token/s3/multipart",
  {
    operationId: "companionBegin",
    summary: "Begin (Uppy)",
    description:
      "A call of Uppy's S3 plugin. It sends parts of 5 MiB, and so `part_size` of the session becomes that. Parts of " +
      "another size that were stored before are dropped.",
    auth: "page",
    admit,
    params: Token,
    body: CreateBody,
    replies: { 200: Created },
  },
  async (c, { params }) => {
    const found = await sessionOf(c, params.token);
    const upload = found.status === "open" ? await planForUppy(c.var.db, openStorage(c.env), found) : found;
    return c.json({ key: keyOf(upload), uploadId: String(upload.id), bucket: BUCKET });
  },
);

companion.get(
  "/uploads/companion/:token/s3/multipart/:uploadId",
  {
    operationId: "companionListParts",
    summary: "List stored parts (Uppy)",
    description: "A call of Uppy's S3 plugin, to resume.",
    auth: "page",
    admit,
    params: Session,
    query: Key,
    replies: { 200: Parts },
  },
  async (c, { params }) => {
    const upload = await sessionOf(c, params.token, params.uploadId);
    const stored = await storedParts(openStorage(c.env).multipart, upload);
    return c.json(stored.map(({ number, size, etag }) => ({ PartNumber: number, Size: size, ETag: etag })));
  },
);

companion.get(
  "/uploads/companion/:token/s3/multipart/:uploadId/:number",
  {
    operationId: "companionPresignPart",
    summary: "Get a part's URL (Uppy)",
    description:
      "A call of Uppy's S3 plugin. The address takes exactly 5 MiB, or what is left for the last part.",
    auth: "page",
    admit,
    params: Part,
    query: Key,
    replies: { 200: PartUrl },
    errors: ENDED,
  },
  async (c, { params: { token, uploadId, number } }) => {
    const upload = await sessionOf(c, token, uploadId);
    const url = await presignUppyPart(c.var.db, openStorage(c.env), upload, number);
    return c.json({ url, expires: PART_URL_TTL_S });
  },
);

companion.post(
  "/uploads/companion/:token/s3/multipart/:uploadId/complete",
  {
    operationId: "companionComplete",
    summary: "Complete (Uppy)",
    description: "A call of Uppy's S3 plugin. The session becomes `ready`.",
    auth: "page",
    admit,
    params: Session,
    query: Key,
    body: CompleteBody,
    replies: { 200: Completed },
    errors: { 409: "Parts are missing or differ from the stored ones, or the session has ended." },
  },
  async (c, { params, body }) => {
    const upload = await sessionOf(c, params.token, params.uploadId);
    const parts = body.parts.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag }));
    await completeUpload(c.var.db, openStorage(c.env), upload, parts);
    return c.json({ location: `${c.env.API_URL}/uploads/${upload.id}`, key: keyOf(upload), bucket: BUCKET });
  },
);

companion.delete(
  "/uploads/companion/:token/s3/multipart/:uploadId",
  {
    operationId: "companionAbort",
    summary: "Abort an upload (Uppy)",
    description: "A call of Uppy's S3 plugin. Ends the session.",
    auth: "page",
    admit,
    params: Session,
    query: Key,
    replies: { 200: Nothing },
    errors: ENDED,
  },
  async (c, { params }) => {
    const upload = await sessionOf(c, params.token, params.uploadId);
    await abortUpload(c.var.db, openStorage(c.env), upload);
    return c.json({});
  },
);

/** Ids in the token. */
const namedBy = (c: Context<AppEnv>, token: string): string[] =>
  verify(c.env, "companion", token)?.split(" ") ?? notFound("Upload");

function admit(c: Context<AppEnv>): void {
  namedBy(c, c.req.param("token") ?? "");
}

async function sessionOf(c: Context<AppEnv>, token: string, uploadId?: string): Promise<UploadRow> {
  refuseJsonp(c);
  // Replies hold signed URLs and the current parts.
  c.header("Cache-Control", "no-store");
  const [id, session] = namedBy(c, token);
  if (uploadId !== undefined && uploadId !== id) return notFound("Upload");
  return (await findCompanionUpload(c.var.db, Number(id), Number(session))) ?? notFound("Upload");
}
