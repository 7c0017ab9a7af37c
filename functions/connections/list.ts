import type { Context } from "hono";
import type * as z from "zod";
import { listConnections } from "../../db/queries/connections.ts";
import type { UserEnv } from "../http/env.ts";
import { nextHref, readCursor, sendCollection } from "../http/paging.ts";
import type { ConnectionPaging } from "./input.ts";
import { representConnection } from "./representation.ts";

export async function sendConnections(
  c: Context<UserEnv>,
  { limit, linked_partitioning, cursor, offset }: z.output<typeof ConnectionPaging>,
): Promise<Response> {
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list: "me/connections", userId: c.var.viewer.userId };
  const page = { before: readCursor(scope, cursor), offset: cursor ? 0 : offset, limit: limit + 1 };
  const rows = await listConnections(c.var.db, c.var.viewer, page);
  const items = rows.slice(0, limit).map((row) => representConnection(row, c.env));
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return sendCollection(c, linked_partitioning, items, next);
}
