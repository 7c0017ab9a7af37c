import {
  deleteConnection,
  findConnection,
  listConnections,
  updateConnection,
} from "../../../db/queries/connections.ts";
import { changedSince, notFound } from "../../lib/http/errors.ts";
import { expectedVersions, taggedReply } from "../../lib/http/etag.ts";
import { sendPageById } from "../../lib/http/paging.ts";
import { Routes } from "../../lib/http/route.ts";
import { StatusBody, statusBody } from "../../lib/http/status.ts";
import { beginRoundTrip } from "./begin.ts";
import { ConnectionChangesBody, ConnectionId, ConnectionPaging, NewConnectionBody } from "./input.ts";
import { Connection, Connections, representConnection, UnsavedConnection } from "./representation.ts";

const REFUSALS = {
  unknown: () => notFound("Connection"),
  changed: () => changedSince("The connection"),
};

export const connections = new Routes();

connections.get(
  "/me/connections",
  {
    operationId: "listConnections",
    summary: "List your connections to other services, newest first",
    description: "Profiles at other services that you have connected.",
    auth: "user",
    query: ConnectionPaging,
    replies: { 200: Connections },
  },
  (c, { query }) =>
    sendPageById(c, query, {
      list: "me/connections",
      find: (page) => listConnections(c.var.db, c.var.viewer, page),
      represent: (row) => representConnection(row, c.env),
    }),
);

connections.post(
  "/me/connections",
  {
    operationId: "createConnection",
    summary: "Connect a profile on another service",
    description:
      "Open `authorize_url` in a browser. After the user's decision the browser returns to `redirect_uri` with " +
      "`success=true` and one or more connections, or with `success=false` and none. A profile that was " +
      "connected before keeps its id. The browser must be signed in to Soundpost as this user; otherwise a page names the " +
      "account and asks to sign in. 422: this deployment does not offer the service.",
    auth: "user",
    scope: "connections",
    body: NewConnectionBody,
    accepts: ["json", "form", "multipart"],
    replies: { 202: UnsavedConnection },
  },
  async (c, { body }) => {
    const authorize_url = await beginRoundTrip(c, body);
    return c.json({ authorize_url }, 202, { "Cache-Control": "private, no-store" });
  },
);

connections.get(
  "/me/connections/:id",
  {
    operationId: "getConnection",
    summary: "Get one of your connections",
    description: "404 for other users' connections.",
    auth: "user",
    params: ConnectionId,
    precondition: "If-None-Match",
    replies: { 200: Connection },
  },
  async (c, { params }) => {
    const found = await findConnection(c.var.db, c.var.viewer, params.id);
    const connection = found ?? notFound("Connection");
    return taggedReply(c, representConnection(connection, c.env), connection.updated_at);
  },
);

connections.put(
  "/me/connections/:id",
  {
    operationId: "changeConnection",
    summary: "Change what is posted to a connection",
    description: "Omitted fields stay unchanged.",
    auth: "user",
    scope: "connections",
    params: ConnectionId,
    body: ConnectionChangesBody,
    accepts: ["json", "form", "multipart"],
    precondition: "If-Match",
    replies: { 200: Connection },
  },
  async (c, { params, body }) => {
    const settled = await updateConnection(c.var.db, c.var.viewer, params.id, body, expectedVersions(c));
    if (settled.outcome !== "done") return REFUSALS[settled.outcome]();
    return c.json(representConnection(settled.connection, c.env));
  },
);

connections.delete(
  "/me/connections/:id",
  {
    operationId: "deleteConnection",
    summary: "Delete a connection",
    description: "Nothing is posted there any more.",
    auth: "user",
    scope: "connections",
    params: ConnectionId,
    precondition: "If-Match",
    replies: { 200: StatusBody },
  },
  async (c, { params }) => {
    const settled = await deleteConnection(c.var.db, c.var.viewer, params.id, expectedVersions(c));
    if (settled.outcome !== "done") return REFUSALS[settled.outcome]();
    return c.json(statusBody(200));
  },
);
