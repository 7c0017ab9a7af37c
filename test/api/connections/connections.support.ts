import { createHash } from "node:crypto";
import type { Connection } from "../../../functions/api/connections/representation.ts";
import { api, type Options } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { siteCookieOf } from "../../support/site-session.ts";
import { sql } from "../../support/stack.ts";

export const BACK = "https://client.example/back?kept=a%20b";

/** `POST /me/connections`, which returns the service's address. */
export const begin = (who: Person | { token: string }, fields: object = {}, options: Options = {}) =>
  api.as(who).post<{ authorize_url: string }>("/me/connections", {
    json: { service: "twitter", redirect_uri: BACK, ...fields },
    ...options,
  });

/** Decides at the service. Returns our callback address for the browser. */
export async function decide(authorizeUrl: string, form: Record<string, string> = {}): Promise<string> {
  const body = new URLSearchParams({ decision: "allow", ...form });
  const reply = await fetch(authorizeUrl, { method: "POST", body, redirect: "manual" });
  if (reply.status !== 303) throw new Error(`The stand-in answered ${reply.status}`);
  return reply.headers.get("Location") ?? "";
}

/** Begins and decides. */
export const beginAndDecide = async (who: Person, fields: object = {}, form: Record<string, string> = {}) =>
  decide((await begin(who, fields)).body.authorize_url, form);

/** Returns to the callback with a browser signed in as `who`, or signed out. */
export async function comeBack(callback: string, who?: Person) {
  const headers = { Accept: "text/html", ...(who && { Cookie: await siteCookieOf(who.id) }) };
  const reply = await fetch(callback, { redirect: "manual", headers });
  return { status: reply.status, location: reply.headers.get("Location"), html: await reply.text(), reply };
}

/** Runs the whole round trip. Returns where the browser ends. */
export const roundTrip = async (who: Person, fields: object = {}, form: Record<string, string> = {}) =>
  (await comeBack(await beginAndDecide(who, fields, form), who)).location;

export const connectionsOf = async (who: Person) =>
  (await api.as(who).get<Connection[]>("/me/connections")).body;

/** Creates a connection. */
export async function createConnection(
  who: Person,
  name = "Ana Example",
  fields: object = {},
): Promise<Connection> {
  await roundTrip(who, fields, { name });
  const found = (await connectionsOf(who)).find(({ display_name }) => display_name === name);
  if (!found) throw new Error(`${name} was not connected`);
  return found;
}

export const stateIn = (address: string): string => new URL(address).searchParams.get("state") ?? "";

/** Whether the attempt still waits for its answer. */
export const isUnderWay = async (authorizeUrl: string): Promise<boolean> => {
  const hash = createHash("sha256").update(stateIn(authorizeUrl)).digest("base64url");
  return (await sql("select from connection_attempts where state_hash = $1", [hash])).length === 1;
};
