import { serve } from "../../functions/app.ts";
import type { Env } from "../../functions/lib/http/env.ts";

/** Production-like addresses, because linters treat local ones differently. */
const ADDRESSES = {
  API_URL: "https://api.soundpost.example",
  AUTH_URL: "https://secure.soundpost.example",
  WEB_URL: "https://soundpost.example",
};

/** Returns the OpenAPI document of a service that nobody needs to start. */
export async function serviceDocument<Document>(): Promise<Document> {
  const env = { ...ADDRESSES, DATABASE_URL: "postgresql://user:password@localhost/nothing" } as Env;
  const ctx = { waitUntil: () => {} } as unknown as Parameters<typeof serve>[2];
  const info = console.info;
  console.info = () => {};
  try {
    const reply = await serve(new Request(`${ADDRESSES.API_URL}/openapi.json`), env, ctx);
    return (await reply.json()) as Document;
  } finally {
    console.info = info;
  }
}
