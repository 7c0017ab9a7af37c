import { ana, type Entry, get, one, post, put, remove } from "../../lib/http/statements.support.ts";
import { BACK, createConnection } from "./connections.support.ts";

const connectionPath = async (name: string) => `/me/connections/${(await createConnection(ana, name)).id}`;

export const CONNECTION_ROUTES: Record<string, Entry> = {
  "GET /me/connections": one(() => get("/me/connections")),
  "POST /me/connections": one(() => post("/me/connections", { service: "twitter", redirect_uri: BACK })),
  "GET /me/connections/{id}": one(async () => get(await connectionPath("Read"))),
  "PUT /me/connections/{id}": one(async () => put(await connectionPath("Changed"), { post_publish: true })),
  "DELETE /me/connections/{id}": one(async () => remove(await connectionPath("Deleted"))),
};
