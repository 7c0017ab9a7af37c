import type { Context } from "hono";
import type { TokenEnv } from "../http/env.ts";
import { apiUrl } from "../http/links.ts";

/**
 * Parameters that the redirect must repeat, because clients send only the address: credentials and format.
 */
const REPEATED = ["client_id", "consumer_key", "oauth_token", "format", "callback"];

const SUFFIX = /\.(?:json|xml|jsonp)$/;

/** Returns the resource's own address, in this request's dialect and format. */
export function locationOf(c: Context<TokenEnv>, path: string, secretToken: string | undefined): string {
  const { pathname, searchParams } = new URL(c.req.url);
  const query = new URLSearchParams();
  for (const name of REPEATED) for (const value of searchParams.getAll(name)) query.append(name, value);
  // The current host replies in JSON by default.
  if (c.get("requestedFormat")?.byHost) query.set("format", "xml");
  if (secretToken !== undefined) query.set("secret_token", secretToken);
  const [suffix = ""] = SUFFIX.exec(pathname) ?? [];
  return `${apiUrl(c.env, path + suffix)}${query.size ? `?${query}` : ""}`;
}
