import type { Context } from "hono";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { Routes } from "../../lib/http/route.ts";
import { readText } from "./text.ts";

/** {api_url} and {web_url}: the way to the typed client, which the platform serves without the Worker. */
export const clientRoutes = new Routes();

async function newest(c: Context<AppEnv>): Promise<string> {
  const { version } = await readText<{ version: string }>(c, "client.json");
  return `/client-${version}.tgz`;
}

clientRoutes.page("/client.tgz", async (c) =>
  c.body(null, 302, { Location: await newest(c), "Cache-Control": "public, max-age=300" }),
);

/** An older version, or another service's. npm shows `error`. */
clientRoutes.page("/:clientFile", async (c) => {
  const words = `This service has another version of its client: ${await newest(c)}`;
  const refusal = new HttpError(404, [words]);
  refusal.fields = { error: words };
  throw refusal;
});
