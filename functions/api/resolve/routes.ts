import type { Context } from "hono";
import * as z from "zod";
import type { TokenEnv } from "../../lib/http/env.ts";
import { badRequest } from "../../lib/http/errors.ts";
import { replyTagged } from "../../lib/http/etag.ts";
import { refuseJsonp } from "../../lib/http/format/negotiate.ts";
import { apiUrl } from "../../lib/http/links.ts";
import { Redirect, redirectTo } from "../../lib/http/redirect.ts";
import { Routes } from "../../lib/http/route.ts";
import { App } from "../apps/representation.ts";
import { Playlist } from "../playlists/representation.ts";
import { SecretToken } from "../tracks/input.ts";
import { Track } from "../tracks/representation.ts";
import { User } from "../users/representation.ts";
import { isAddress, resourceNamed } from "./address.ts";
import { findResource } from "./find.ts";

const Resolved = z.union([User, Track, Playlist, App]).meta({ id: "Resolved" });

const ResolveQuery = z.object({
  url: z
    .string()
    .trim()
    .describe(
      "Address of a user, a track, a playlist or an app: its page on the site, with the secret token at the end if it is private, or its resource in this API. Scheme, trailing slash and case of permalinks are ignored, and so are query and fragment except `secret_token`. 400: not an http address. 404: another host, or nothing that you can see. Nothing is ever fetched.",
    ),
  secret_token: SecretToken.shape.secret_token.describe(
    "Opens a private resource, if the address does not carry the token.",
  ),
  "_status_code_map[302]": z
    .string()
    .optional()
    .describe("`200` returns the resource instead of a redirect, in the older dialect."),
});

export const resolving = new Routes();

resolving.get(
  "/resolve",
  {
    operationId: "resolve",
    summary: "Resolve an address",
    description:
      "Returns the resource exactly as its own address does. In the older dialect it redirects there and keeps credential, format, callback and secret token.",
    auth: "token",
    query: ResolveQuery,
    precondition: "If-None-Match",
    replies: { 200: Resolved, 302: Redirect },
    errors: { 404: "The address names nothing that you can see." },
  },
  async (c, { query }) => {
    if (!isAddress(query.url))
      return badRequest("url: must be an address that begins with http:// or https://");
    const meant = resourceNamed(query.url, c.env);
    const secretToken = meant?.secretToken ?? query.secret_token;
    if (secretToken) refuseJsonp(c);
    const redirects = c.var.dialect === "older" && query["_status_code_map[302]"] !== "200";
    const found = await findResource(c, { meant, secretToken, shown: redirects ? "none" : "tracks" });
    return redirects ? redirectTo(c, locationOf(c, found.path, secretToken)) : replyTagged(c, found.text);
  },
);

/** Parameters that the redirect must repeat, because clients send only its URL: credentials and format. */
const REPEATED = ["client_id", "consumer_key", "oauth_token", "format", "callback"];

const SUFFIX = /\.(?:json|xml|jsonp)(?=\/?$)/;

/** Returns the resource's own URL, in this request's dialect and format. */
function locationOf(c: Context<TokenEnv>, path: string, secretToken: string | undefined): string {
  const { pathname, searchParams } = new URL(c.req.url);
  const query = new URLSearchParams();
  for (const name of REPEATED) for (const value of searchParams.getAll(name)) query.append(name, value);
  // The current host defaults to JSON.
  if (c.get("requestedFormat")?.byHost) query.set("format", "xml");
  if (secretToken !== undefined) query.set("secret_token", secretToken);
  const [suffix = ""] = SUFFIX.exec(pathname) ?? [];
  return `${apiUrl(c.env, path + suffix)}${query.size ? `?${query}` : ""}`;
}
