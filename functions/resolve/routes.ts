import * as z from "zod";
import { App } from "../apps/representation.ts";
import { badRequest } from "../http/errors.ts";
import { replyTagged } from "../http/etag.ts";
import { refuseJsonp } from "../http/format/negotiate.ts";
import { Redirect, redirectTo } from "../http/redirect.ts";
import { Routes } from "../http/route.ts";
import { Playlist } from "../playlists/representation.ts";
import { SecretToken } from "../tracks/input.ts";
import { Track } from "../tracks/representation.ts";
import { User } from "../users/representation.ts";
import { isAddress, meantBy } from "./address.ts";
import { find } from "./found.ts";
import { locationOf } from "./redirect.ts";

const Resolved = z.union([User, Track, Playlist, App]).meta({ id: "Resolved" });

const ResolveQuery = z.object({
  url: z
    .string()
    .trim()
    .describe(
      "Address of a user, a track, a playlist or an app: the page on the site, a private one with its secret token behind, or the resource of this API. Whether http or https, a slash at the end and the case of permalinks make no difference; query and fragment are not looked at, but for `secret_token`. What is no http address is 400; another host's, or one that leads to nothing for you, 404. Nothing is ever fetched.",
    ),
  secret_token: SecretToken.shape.secret_token.describe(
    "Opens a private one, where the address does not carry it.",
  ),
  "_status_code_map[302]": z
    .string()
    .optional()
    .describe("`200`, in the older dialect: the resource itself instead of the redirect."),
});

export const resolving = new Routes();

resolving.get(
  "/resolve",
  {
    operationId: "resolve",
    summary: "Resolve an address",
    description:
      "The resource, as its own address gives it. In the older dialect a redirect to there, which keeps credential, format, callback and secret token.",
    auth: "token",
    query: ResolveQuery,
    precondition: "If-None-Match",
    replies: { 200: Resolved, 302: Redirect },
    errors: { 404: "The address leads to nothing for you." },
  },
  async (c, { query }) => {
    if (!isAddress(query.url))
      return badRequest("url: must be an address that begins with http:// or https://");
    const meant = meantBy(query.url, c.env);
    const secretToken = meant?.secretToken ?? query.secret_token;
    if (secretToken) refuseJsonp(c);
    const redirects = c.var.dialect === "older" && query["_status_code_map[302]"] !== "200";
    const found = await find(c, { meant, secretToken, shown: redirects ? "none" : "tracks" });
    return redirects ? redirectTo(c, locationOf(c, found.path, secretToken)) : replyTagged(c, found.text);
  },
);
