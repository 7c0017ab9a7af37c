import type { Context } from "hono";
import type * as z from "zod";
import { listOwnApps } from "../../db/queries/apps.ts";
import type { UserEnv } from "../http/env.ts";
import { nextHref, type Paging, readCursor, sendCollection } from "../http/paging.ts";
import { representOwnApp } from "./representation.ts";

export async function sendOwnApps(
  c: Context<UserEnv>,
  { limit, linked_partitioning, cursor }: z.output<typeof Paging>,
): Promise<Response> {
  const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list: "me/apps", userId: c.var.viewer.userId };
  const { apps: rows } = await listOwnApps(c.var.db, c.var.viewer, readCursor(scope, cursor), limit + 1);
  const items = rows.slice(0, limit).map((app) => representOwnApp(app, c.env));
  const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
  return sendCollection(c, linked_partitioning, items, next);
}
