import { aConnection, BACK } from "./connecting.ts";
import { ana, type Entry, get, one, post, put, remove } from "./counted.ts";

const aPath = async (name: string) => `/me/connections/${(await aConnection(ana, name)).id}`;

export const CONNECTION_ROUTES: Record<string, Entry> = {
  "GET /me/connections": one(() => get("/me/connections")),
  "POST /me/connections": one(() => post("/me/connections", { service: "twitter", redirect_uri: BACK })),
  "GET /me/connections/{id}": one(async () => get(await aPath("Read"))),
  "PUT /me/connections/{id}": one(async () => put(await aPath("Changed"), { post_publish: true })),
  "DELETE /me/connections/{id}": one(async () => remove(await aPath("Deleted"))),
};
