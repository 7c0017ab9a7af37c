import { neon, neonConfig } from "@neondatabase/serverless";
import { USUAL } from "../deadline.ts";
import type { Address, Client, Transport } from "./transport.ts";

/** Local proxies, by host and port in DATABASE_URL. The driver has one setting for all clients. */
const proxies = new Map<string, string>();
const usualEndpoint = neonConfig.fetchEndpoint;
neonConfig.fetchEndpoint = (host, port, options) =>
  proxies.get(port ? `${host}:${port}` : host) ??
  (typeof usualEndpoint === "string" ? usualEndpoint : usualEndpoint(host, port, options));

/** Sends each statement as one request to Neon's proxy. It holds no connection, so requests may share it. */
export function neonTransport({ DATABASE_URL, DATABASE_PROXY_URL }: Address): Transport {
  let endpoint = "";
  if (DATABASE_PROXY_URL) proxies.set(new URL(DATABASE_URL).host, DATABASE_PROXY_URL);
  neonConfig.fetchFunction = (url: string, init: RequestInit) => {
    endpoint = url;
    return fetchWhole(url, init);
  };
  // The driver accepts only its own statements in a transaction, and receives no others here.
  return { client: neon(DATABASE_URL) as unknown as Client, endpoint: () => endpoint };
}

/** Reads the whole body here. The driver would not attribute a body that breaks off to the database. */
async function fetchWhole(url: string, init: RequestInit) {
  const reply = await fetch(url, { ...init, signal: init.signal ?? AbortSignal.timeout(USUAL.replyMs) });
  const text = await reply.text();
  return { ok: reply.ok, status: reply.status, text: async () => text, json: async () => JSON.parse(text) };
}
