import type { Context } from "hono";
import { findSubject } from "../../../db/queries/site-pages.ts";
import { isAddress, resourceNamed } from "../../api/resolve/address.ts";
import { presentedBy } from "../../api/tracks/secret.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { badRequest, forbidden, notFound } from "../../lib/http/errors.ts";
import { refuseJsonp } from "../../lib/http/format/negotiate.ts";
import { Routes } from "../../lib/http/route.ts";
import { SITE_VISITOR } from "../../ui/viewer.ts";
import { EmbedQuery } from "./input.ts";
import { previewOf, secretFor } from "./preview.ts";
import { Oembed, representEmbed } from "./representation.ts";

/** {web_url}, and the API's host too. */
export const oembed = new Routes();

oembed.get(
  "/oembed",
  {
    operationId: "getOembed",
    summary: "Get the markup that embeds a track, a playlist or a user",
    description:
      "oEmbed, also at the site's address, without a token. `format=js` with a `callback` returns JSONP, `format=xml` XML. A private resource needs its secret token in `url`. Nothing is ever fetched.",
    auth: "anyone",
    query: EmbedQuery,
    badQuery: 400,
    replies: { 200: Oembed },
    errors: {
      403: "Its owner does not allow others to embed it.",
      404: "The address names no track, playlist or user that you can see.",
    },
  },
  (c, { query }) => sendOembed(c, query),
);

async function sendOembed(c: Context<AppEnv>, given: EmbedQuery): Promise<Response> {
  if (!isAddress(given.url)) badRequest("url: must be an address that begins with http:// or https://");
  const meant = resourceNamed(given.url, c.env);
  if (meant?.secretToken) refuseJsonp(c);
  const facts = presentedBy(c.req, meant?.secretToken);
  const subject = await findSubject(c.var.db.forVisitors(), SITE_VISITOR, meant, facts);
  const shown = previewOf(c.env, subject) ?? notFound("Track, playlist or user");
  if (shown.embeddable_by !== "all") forbidden("Its owner does not allow others to embed it");
  // Returns the secret only if the request held it.
  const secretToken = secretFor(shown, meant?.secretToken);
  c.header("Cache-Control", shown.private || secretToken ? "private, no-store" : "public, max-age=300");
  return c.json(representEmbed(shown, given, c.env, secretToken));
}
