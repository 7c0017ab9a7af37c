import { type Context, Hono } from "hono";
import * as z from "zod";
import { openStorage } from "../../db/objects/open.ts";
import { findCompanionUpload, type UploadRow } from "../../db/queries/uploads.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv, Env, Viewer } from "../http/env.ts";
import { ErrorBody, invalid, notFound } from "../http/errors.ts";
import { refuseJsonp } from "../http/formats.ts";
import { sign, verify } from "../http/signing.ts";
import { abortUpload } from "./abort.ts";
import { completeUpload } from "./complete.ts";
import { PartEtag } from "./input.ts";
import { PART_URL_TTL_S } from "./limits.ts";
import { presignParts } from "./parts.ts";

/** Uppy sends no credential of ours, so the URL itself is one: signed, for one upload, as long as the viewer's session lives. */
export const companionUrl = (
  env: Pick<Env, "SIGNING_KEYS" | "API_URL">,
  uploadId: number,
  { sessionId }: Viewer,
): string => `${env.API_URL}/uploads/companion/${sign(env, "companion", `${uploadId} ${sessionId}`)}`;

const Token = z.object({ token: z.string().max(200) });
const Session = Token.extend({ uploadId: z.string().max(30) });
const Part = Session.extend({
  number: z
    .string()
    .regex(/^[1-9][0-9]{0,4}$/)
    .transform(Number),
});
const Key = z.object({ key: z.string().max(200) });

const Created = z
  .strictObject({ key: z.string(), uploadId: z.string(), bucket: z.string() })
  .meta({ id: "CompanionUpload" });
const Parts = z
  .array(z.strictObject({ PartNumber: z.int(), Size: z.int(), ETag: z.string() }))
  .meta({ id: "CompanionParts" });
const PartUrl = z.strictObject({ url: z.url(), expires: z.int() }).meta({ id: "CompanionPartUrl" });
const Completed = z
  .strictObject({ location: z.string(), key: z.string(), bucket: z.string() })
  .meta({ id: "CompanionCompleted" });
const Nothing = z.strictObject({}).meta({ id: "Empty" });

const CreateBody = z
  .object({ filename: z.string().optional(), type: z.string().nullish() })
  .meta({ id: "CompanionCreate" });
const CompleteBody = z
  .object({
    parts: z.array(z.object({ PartNumber: z.int().min(1), ETag: PartEtag })).max(10_000),
  })
  .meta({ id: "CompanionComplete" });

/** What unmodified Uppy is shown in place of storage's own names, which are nobody's business. */
const BUCKET = "uploads";
const keyOf = (upload: UploadRow) => `uploads/${upload.id}`;

const named = (summary: string, responses: Parameters<typeof operation>[1]) =>
  operation(summary, { 404: ErrorBody, ...responses }, { tags: ["uploads"] });

/** The S3-multipart calls of `@uppy/aws-s3`, below a session's `companion_url`. */
export const companion = new Hono<AppEnv>();

companion.post(
  "/:token/s3/multipart",
  named("Begin (Uppy)", { 200: Created, 400: ErrorBody, 413: ErrorBody, 415: ErrorBody, 422: ErrorBody }),
  param(Token),
  body(CreateBody),
  async (c) => {
    const upload = await sessionOf(c, c.req.valid("param").token);
    return c.json({ key: keyOf(upload), uploadId: String(upload.id), bucket: BUCKET });
  },
);

companion.get(
  "/:token/s3/multipart/:uploadId",
  named("List stored parts (Uppy)", { 200: Parts, 400: ErrorBody }),
  param(Session),
  query(Key),
  async (c) => {
    const upload = await sessionOf(c, c.req.valid("param").token, c.req.valid("param").uploadId);
    const stored = upload.storage_upload_id
      ? await openStorage(c.env).multipart.parts(upload.object_key, upload.storage_upload_id)
      : [];
    return c.json(
      (stored ?? []).map(({ number, size, etag }) => ({ PartNumber: number, Size: size, ETag: etag })),
    );
  },
);

companion.get(
  "/:token/s3/multipart/:uploadId/:number",
  named("Get a part's URL (Uppy)", { 200: PartUrl, 400: ErrorBody, 409: ErrorBody, 422: ErrorBody }),
  param(Part),
  query(Key),
  async (c) => {
    const { token, uploadId, number } = c.req.valid("param");
    const upload = await sessionOf(c, token, uploadId);
    const urls = await presignParts(openStorage(c.env).multipart, upload, [number]);
    return c.json({ url: urls[number] ?? invalid("number: no such part"), expires: PART_URL_TTL_S });
  },
);

companion.post(
  "/:token/s3/multipart/:uploadId/complete",
  named("Complete (Uppy)", {
    200: Completed,
    400: ErrorBody,
    409: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    422: ErrorBody,
  }),
  param(Session),
  query(Key),
  body(CompleteBody),
  async (c) => {
    const upload = await sessionOf(c, c.req.valid("param").token, c.req.valid("param").uploadId);
    const parts = c.req
      .valid("json")
      .parts.map(({ PartNumber, ETag }) => ({ number: PartNumber, etag: ETag }));
    await completeUpload(c.var.db, openStorage(c.env), upload, parts);
    return c.json({ location: `${c.env.API_URL}/uploads/${upload.id}`, key: keyOf(upload), bucket: BUCKET });
  },
);

companion.delete(
  "/:token/s3/multipart/:uploadId",
  named("Give up (Uppy)", { 200: Nothing, 400: ErrorBody, 409: ErrorBody }),
  param(Session),
  query(Key),
  async (c) => {
    const upload = await sessionOf(c, c.req.valid("param").token, c.req.valid("param").uploadId);
    await abortUpload(c.var.db, openStorage(c.env), upload);
    return c.json({});
  },
);

async function sessionOf(c: Context<AppEnv>, token: string, uploadId?: string): Promise<UploadRow> {
  refuseJsonp(c);
  const [id, session] = verify(c.env, "companion", token)?.split(" ") ?? [];
  if (id === undefined || (uploadId !== undefined && uploadId !== id)) return notFound("Upload");
  return (await findCompanionUpload(c.var.db, Number(id), Number(session))) ?? notFound("Upload");
}
