import { type Context, Hono } from "hono";
import { openStorage } from "../../db/objects/open.ts";
import { findUpload, listUploads, type UploadRow } from "../../db/queries/uploads.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv, UserEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { timestamp } from "../http/links.ts";
import { filteredList, nextHref, readCursor, sendCollection } from "../http/paging.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireUser } from "../http/viewer.ts";
import { abortUpload } from "./abort.ts";
import { companion, companionUrl } from "./companion.ts";
import { completeUpload } from "./complete.ts";
import { CompletedParts, NewUpload, PartNumbers, UploadFilter, UploadId } from "./input.ts";
import { PART_URL_TTL_S } from "./limits.ts";
import { openUploadSession } from "./open.ts";
import { presignParts } from "./parts.ts";
import {
  PartUrls,
  representParts,
  representUpload,
  Upload,
  Uploads,
  UploadWithParts,
} from "./representation.ts";

/** Direct upload: the client PUTs parts to storage by presigned URLs, and the bytes never come here. */
export const uploads = new Hono<AppEnv>();
uploads.route("/companion", companion);

const represent = (c: Context<UserEnv>, upload: UploadRow) =>
  representUpload(upload, companionUrl(c.env, upload.id, c.var.viewer));

uploads.post(
  "/",
  operation("Open an upload session", {
    201: Upload,
    400: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    422: ErrorBody,
    429: ErrorBody,
  }),
  requireUser,
  body(NewUpload),
  async (c) => {
    const upload = await openUploadSession(c, c.req.valid("json"));
    return c.json(represent(c, upload), 201, { Location: `${c.env.API_URL}/uploads/${upload.id}` });
  },
);

uploads.get(
  "/",
  operation("List your upload sessions, newest first", { 200: Uploads, 400: ErrorBody, 422: ErrorBody }),
  requireUser,
  query(UploadFilter),
  async (c) => {
    const { status, limit, linked_partitioning, cursor, offset } = c.req.valid("query");
    const list = filteredList("uploads", { status });
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
    const page = { before: readCursor(scope, cursor), offset: cursor ? 0 : offset, limit: limit + 1 };
    const rows = (await listUploads(c.var.db, c.var.viewer, status, page)).uploads;
    const items = rows.slice(0, limit).map((upload) => represent(c, upload));
    const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
    return sendCollection(c, linked_partitioning, items, next);
  },
);

uploads.get(
  "/:id",
  operation("Get an upload session", { 200: UploadWithParts, 404: ErrorBody }),
  requireUser,
  param(UploadId),
  async (c) => {
    const upload = await ownUpload(c, c.req.valid("param").id);
    const { multipart } = openStorage(c.env);
    const open = upload.status === "open" || upload.status === "completing";
    const parts =
      open && upload.storage_upload_id
        ? await multipart.parts(upload.object_key, upload.storage_upload_id)
        : [];
    return c.json({ ...represent(c, upload), parts: representParts(parts ?? []) });
  },
);

uploads.post(
  "/:id/parts",
  operation(
    "Get URLs to PUT parts to",
    {
      200: PartUrls,
      400: ErrorBody,
      404: ErrorBody,
      409: ErrorBody,
      413: ErrorBody,
      415: ErrorBody,
      422: ErrorBody,
    },
    {
      description: "Each URL takes exactly one PUT of exactly that part's bytes.",
    },
  ),
  requireUser,
  param(UploadId),
  body(PartNumbers),
  async (c) => {
    const upload = await ownUpload(c, c.req.valid("param").id);
    const urls = await presignParts(openStorage(c.env).multipart, upload, c.req.valid("json").numbers);
    return c.json({ urls, expires_at: timestamp(new Date(Date.now() + PART_URL_TTL_S * 1000)) });
  },
);

uploads.post(
  "/:id/complete",
  operation("Make one file of the parts", {
    200: Upload,
    400: ErrorBody,
    404: ErrorBody,
    409: ErrorBody,
    413: ErrorBody,
    415: ErrorBody,
    422: ErrorBody,
  }),
  requireUser,
  param(UploadId),
  body(CompletedParts),
  async (c) => {
    const upload = await ownUpload(c, c.req.valid("param").id);
    return c.json(
      represent(c, await completeUpload(c.var.db, openStorage(c.env), upload, c.req.valid("json").parts)),
    );
  },
);

uploads.delete(
  "/:id",
  operation(
    "Give an upload up",
    { 200: StatusBody, 404: ErrorBody, 409: ErrorBody },
    { description: "Its parts are deleted." },
  ),
  requireUser,
  param(UploadId),
  async (c) => {
    const upload = await ownUpload(c, c.req.valid("param").id);
    await abortUpload(c.var.db, openStorage(c.env), upload);
    return c.json(statusBody(200));
  },
);

async function ownUpload(c: Context<UserEnv>, id: number): Promise<UploadRow> {
  const { upload } = await findUpload(c.var.db, c.var.viewer, id);
  return upload ?? notFound("Upload");
}
