import type { Context } from "hono";
import type { TokenEnv } from "../http/env.ts";
import { apiUrl } from "../http/links.ts";

/** What a client that follows sends with nothing but the address: who asks, and how it wants to be answered. */
const KEPT = ["client_id", "consumer_key", "oauth_token", "format", "callback"];

const SUFFIX = /\.(?:json|xml|jsonp)$/;

/** The resource's own address, as the caller of this request has to ask for it. */
export function locationOf(c: Context<TokenEnv>, path: string, secretToken: string | undefined): string {
  const { pathname, searchParams } = new URL(c.req.url);
  const kept = new URLSearchParams();
  for (const name of KEPT) for (const value of searchParams.getAll(name)) kept.append(name, value);
  // The current host answers in JSON unless it is told.
  if (c.get("wish")?.byHost) kept.set("format", "xml");
  if (secretToken !== undefined) kept.set("secret_token", secretToken);
  const [suffix = ""] = SUFFIX.exec(pathname) ?? [];
  return `${apiUrl(c.env, path + suffix)}${kept.size ? `?${kept}` : ""}`;
}
