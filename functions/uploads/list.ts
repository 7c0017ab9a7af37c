import type { Context } from "hono";
import type * as z from "zod";
import { listUploads, type UploadRow } from "../../db/queries/uploads.ts";
import type { UserEnv } from "../http/env.ts";
import { filteredList, nextHref, readCursor, sendCollection } from "../http/paging.ts";
import { companionUrl } from "./companion.ts";
import type { UploadFilter } from "./input.ts";
import { representUpload } from "./representation.ts";

export const representOwn = (c: Context<UserEnv>, upload: UploadRow) =>
  representUpload(upload, companionUrl(c.env, upload.id, c.var.viewer));

export async function sendUploads(
  c: Context<UserEnv>,
  { status, limit, linked_partitioning, cursor, offset }: z.output<typeof UploadFilter>,
): Promise<Response> {
  const list = filteredList("uploads", { status });
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list, userId: c.var.viewer.userId };
  const page = { before: readCursor(scope, cursor), offset: cursor ? 0 : offset, limit: limit + 1 };
  const rows = await listUploads(c.var.db, c.var.viewer, status, page);
  const items = rows.slice(0, limit).map((upload) => representOwn(c, upload));
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return sendCollection(c, linked_partitioning, items, next);
}
