import { Hono } from "hono";
import {
  deleteConnection,
  findConnection,
  listConnections,
  updateConnection,
} from "../../db/queries/connections.ts";
import { body, operation, param, query } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { changedSince, notFound } from "../http/errors.ts";
import { expectedVersions, guarded, tagged, taggedReply } from "../http/etag.ts";
import { nextHref, readCursor, sendCollection } from "../http/paging.ts";
import { StatusBody, statusBody } from "../http/status.ts";
import { requireUser } from "../http/viewer.ts";
import { beginRoundTrip } from "./begin.ts";
import { ConnectionChangesBody, ConnectionId, ConnectionPaging, NewConnectionBody } from "./input.ts";
import { Connection, Connections, representConnection, UnsavedConnection } from "./representation.ts";

/** Below `/me`. */
export const connections = new Hono<AppEnv>();

connections.get(
  "/connections",
  operation("List your connections to other services, newest first", { 200: Connections }),
  requireUser,
  query(ConnectionPaging),
  async (c) => {
    const { limit, linked_partitioning, cursor, offset } = c.req.valid("query");
    const scope = { SIGNING_KEYS: c.env.SIGNING_KEYS, list: "me/connections", userId: c.var.viewer.userId };
    const page = { before: readCursor(scope, cursor), offset: cursor ? 0 : offset, limit: limit + 1 };
    const rows = (await listConnections(c.var.db, c.var.viewer, page)).connections;
    const items = rows.slice(0, limit).map((row) => representConnection(row, c.env));
    const next = nextHref(scope, { rows, limit, url: c.req.url, links: c.env });
    return sendCollection(c, linked_partitioning, items, next);
  },
);

connections.post(
  "/connections",
  operation(
    "Connect a profile on another service",
    { 202: UnsavedConnection },
    {
      description:
        "Open `authorize_url` in a browser. Once the user has decided over there, the browser goes to `redirect_uri` with " +
        "`success=true`, and one or more connections stand, or with `success=false`, and none was made. A profile that was " +
        "connected before keeps its id. The browser has to be signed in at our site as this user: else a page names the " +
        "account and asks to sign in first. 422 for a service that is not set up here.",
    },
  ),
  requireUser,
  body(NewConnectionBody, ["json", "form", "multipart"]),
  async (c) => {
    const authorize_url = await beginRoundTrip(c, c.req.valid("json"));
    return c.json({ authorize_url }, 202, { "Cache-Control": "private, no-store" });
  },
);

connections.get(
  "/connections/:id",
  operation("Get one of your connections", { 200: Connection }),
  tagged,
  requireUser,
  param(ConnectionId),
  async (c) => {
    const found = await findConnection(c.var.db, c.var.viewer, c.req.valid("param").id);
    const connection = found.connection ?? notFound("Connection");
    return taggedReply(c, representConnection(connection, c.env), connection.updated_at);
  },
);

const REFUSALS = {
  unknown: () => notFound("Connection"),
  changed: () => changedSince("The connection"),
};

connections.put(
  "/connections/:id",
  operation(
    "Change what is posted to a connection",
    { 200: Connection },
    { description: "What is left out stays as it is." },
  ),
  guarded,
  requireUser,
  param(ConnectionId),
  body(ConnectionChangesBody, ["json", "form", "multipart"]),
  async (c) => {
    const { id } = c.req.valid("param");
    const settled = await updateConnection(
      c.var.db,
      c.var.viewer,
      id,
      c.req.valid("json"),
      expectedVersions(c),
    );
    if (settled.outcome !== "done") return REFUSALS[settled.outcome]();
    return c.json(representConnection(settled.connection, c.env));
  },
);

connections.delete(
  "/connections/:id",
  operation("Delete a connection", { 200: StatusBody }),
  guarded,
  requireUser,
  param(ConnectionId),
  async (c) => {
    const { id } = c.req.valid("param");
    const settled = await deleteConnection(c.var.db, c.var.viewer, id, expectedVersions(c));
    if (settled.outcome !== "done") return REFUSALS[settled.outcome]();
    return c.json(statusBody(200));
  },
);
