import type { Context } from "hono";
import { openStorage } from "../../../db/objects/open.ts";
import { findUpload, listUploads, type UploadRow } from "../../../db/queries/uploads.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { timestamp } from "../../lib/http/links.ts";
import { filteredList, sendPageById } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { abortUpload } from "./abort.ts";
import { companionUrl } from "./companion.ts";
import { completeUpload } from "./complete.ts";
import { CompletedParts, NewUpload, PartNumbers, UploadFilter, UploadId } from "./input.ts";
import { PART_URL_TTL_S } from "./limits.ts";
import { openUploadSession } from "./open.ts";
import { presignParts, storedParts } from "./parts.ts";
import {
  PartUrls,
  representParts,
  representUpload,
  Upload,
  Uploads,
  UploadWithParts,
} from "./representation.ts";

/** Direct upload: clients PUT parts to storage by presigned URLs, so no bytes pass through the Worker. */
export const uploads = new Routes();

uploads.post(
  "/uploads",
  {
    operationId: "openUpload",
    summary: "Open an upload session",
    description:
      "Send the parts to the URLs of `/uploads/{id}/parts` and complete the session, or leave both to Uppy by " +
      "`companion_url`. Then create a track with `upload_id`.",
    auth: "user",
    scope: "tracks",
    body: NewUpload,
    replies: { 201: Upload },
    errors: {
      403: "The file is more than your quota has left; see `quota` in `/me`.",
      429: "Too many of your sessions are open.",
    },
    budget: false,
  },
  async (c, { body }) => {
    const upload = await openUploadSession(c, body);
    return c.json(representOwn(c, upload), 201, { Location: `${c.env.API_URL}/uploads/${upload.id}` });
  },
);

uploads.get(
  "/uploads",
  {
    operationId: "listUploads",
    summary: "List your upload sessions, newest first",
    description: "`expires_at` tells when a session ends. One without a track is forgotten 30 days later.",
    auth: "user",
    query: UploadFilter,
    replies: { 200: Uploads },
  },
  (c, { query: { status, ...asked } }) =>
    sendPageById(c, asked, {
      list: filteredList("uploads", { status }),
      find: (page) => listUploads(c.var.db, c.var.viewer, status, page),
      represent: (upload) => representRead(c, upload),
    }),
);

uploads.get(
  "/uploads/:id",
  {
    operationId: "getUpload",
    summary: "Get an upload session",
    description: "With the parts that storage has, to resume an upload.",
    auth: "user",
    params: UploadId,
    replies: { 200: UploadWithParts },
  },
  async (c, { params }) => {
    const upload = await findOwn(c, params.id);
    const isOpen = upload.status === "open" || upload.status === "completing";
    const parts = isOpen ? await storedParts(openStorage(c.env).multipart, upload) : [];
    return c.json({ ...representRead(c, upload), parts: representParts(parts) });
  },
);

uploads.post(
  "/uploads/:id/parts",
  {
    operationId: "presignUploadParts",
    summary: "Get URLs for uploading parts",
    description: "Each URL takes exactly one PUT of exactly that part's bytes.",
    auth: "user",
    scope: "tracks",
    isRepeatable: true,
    params: UploadId,
    body: PartNumbers,
    replies: { 200: PartUrls },
    errors: { 409: "The session is no longer open." },
  },
  async (c, { params, body }) => {
    const upload = await findOwn(c, params.id);
    const urls = await presignParts(openStorage(c.env).multipart, upload, body.numbers);
    return c.json({ urls, expires_at: timestamp(new Date(Date.now() + PART_URL_TTL_S * 1000)) });
  },
);

uploads.post(
  "/uploads/:id/complete",
  {
    operationId: "completeUpload",
    summary: "Complete an upload",
    description:
      "Send it when all parts are stored. The session becomes `ready`, and a track can be made from it.",
    auth: "user",
    scope: "tracks",
    isRepeatable: true,
    params: UploadId,
    body: CompletedParts,
    replies: { 200: Upload },
    errors: { 409: "Parts are missing or differ from the stored ones, or the session has ended." },
  },
  async (c, { params, body }) => {
    const upload = await findOwn(c, params.id);
    const completed = await completeUpload(c.var.db, openStorage(c.env), upload, body.parts);
    return c.json(representOwn(c, completed));
  },
);

uploads.delete(
  "/uploads/:id",
  {
    operationId: "abortUpload",
    summary: "Abort an upload",
    description: "Deletes its parts.",
    auth: "user",
    scope: "tracks",
    params: UploadId,
    replies: { 200: StatusBody },
    errors: { 409: "The upload has become a track." },
  },
  async (c, { params }) => {
    await abortUpload(c.var.db, openStorage(c.env), await findOwn(c, params.id));
    return c.json(statusBody(200));
  },
);

async function findOwn(c: Context<UserEnv>, id: number): Promise<UploadRow> {
  return (await findUpload(c.var.db, c.var.viewer, id)) ?? notFound("Upload");
}

const representOwn = (c: Context<UserEnv>, upload: UploadRow) =>
  representUpload(upload, companionUrl(c.env, upload.id, c.var.viewer));

/** The reply to a token that may not upload names no address to upload to. */
const representRead = (c: Context<UserEnv>, upload: UploadRow) =>
  c.var.viewer.scopes?.includes("tracks") === false ? representUpload(upload, null) : representOwn(c, upload);
