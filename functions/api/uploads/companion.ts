import type { Context } from "hono";
import { openStorage } from "../../../db/objects/open.ts";
import { findCompanionUpload, type UploadRow } from "../../../db/queries/uploads.ts";
import type { AppEnv, Env, Viewer } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { refuseJsonp } from "../../lib/http/format/negotiate.ts";
import { Routes } from "../../lib/http/route.ts";
import { sign, verify } from "../../lib/security/signing.ts";
import { abortUpload } from "./abort.ts";
import { receiveCompanionFile, receiveCompanionForm } from "./companion-form.ts";
import { planForUppy, presignUppyPart } from "./companion-parts.ts";
import {
  CompleteBody,
  Completed,
  CreateBody,
  Created,
  FileBody,
  FileTarget,
  FormBody,
  Key,
  Nothing,
  Part,
  Parts,
  PartUrl,
  Session,
  Token,
} from "./companion-schemas.ts";
import { completeUpload } from "./complete.ts";
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
      "Uppy sends files of up to 100 MiB in one request. The address takes exactly the announced size, as the body of a PUT or as `file` of a form, and completes the upload.",
    auth: "page",
    admit,
    params: Token,
    replies: { 200: FileTarget },
    errors: ENDED,
  },
  async (c, { params: { token } }) => {
    const upload = await sessionOf(c, token);
    requireOpen(upload);
    return c.json({
      method: "PUT" as const,
      url: `${c.env.API_URL}/uploads/companion/${token}/s3/form`,
      // Uppy 6 fails without a key.
      fields: { key: keyOf(upload) },
      headers: { "Content-Type": upload.type },
    });
  },
);

const WRONG_SIZE = {
  413: "The file is larger than announced.",
  422: "The file is missing, or smaller than announced.",
};

companion.put(
  "/uploads/companion/:token/s3/form",
  {
    operationId: "companionPutFile",
    summary: "Send a small file as it is (Uppy)",
    description: "Also completes the upload. Repeating it is harmless.",
    auth: "page",
    admit,
    params: Token,
    ownBody: { schema: FileBody, type: "bytes" },
    replies: { 200: Completed },
    errors: { ...ENDED, ...WRONG_SIZE, 400: "The body ended early." },
  },
  async (c, { params }) => {
    const upload = await receiveCompanionFile(c, await sessionOf(c, params.token));
    return sendReceived(c, upload, 200);
  },
);

// Not a URL of storage: Uppy 6 ignores the method and sends a form, which R2 does not accept.
companion.post(
  "/uploads/companion/:token/s3/form",
  {
    operationId: "companionSendFile",
    summary: "Send a small file in a form (Uppy)",
    description: "Also completes the upload. Repeating it is harmless.",
    auth: "page",
    admit,
    params: Token,
    ownBody: { schema: FormBody, type: "multipart" },
    replies: { 201: Completed },
    errors: { ...ENDED, ...WRONG_SIZE, 400: "The body is no form." },
  },
  async (c, { params }) => {
    const upload = await receiveCompanionForm(c, await sessionOf(c, params.token));
    return sendReceived(c, upload, 201);
  },
);

function sendReceived(c: Context<AppEnv>, upload: UploadRow, status: 200 | 201): Response {
  const location = `${c.env.API_URL}/uploads/${upload.id}`;
  // Uppy 5 fails without an ETag, but does not compare it.
  const headers = { Location: location, ETag: `"${upload.id}"` };
  return c.json({ location, key: keyOf(upload), bucket: BUCKET }, status, headers);
}

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
