import * as z from "zod";
import type { WebProfileRow } from "../../../db/queries/web-profiles.ts";
import { type Links, timestamp, urn } from "../../lib/http/links.ts";
import { CreatedAt, kindOf, resourceId, resourceUrn } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";

export const WebProfile = z
  .strictObject({
    id: resourceId(338914811904400),
    urn: resourceUrn("web-profiles:338914811904400"),
    kind: kindOf("web-profile"),
    service: z
      .string()
      .meta(about("Name of the service, such as `bandcamp`; `personal` for any other site.", "twitter")),
    title: z.string().nullable().meta(about("Label of the link. Null if the user gave none.", "My songs")),
    url: z.string().meta(about("Complete address.", "https://twitter.example/ana")),
    username: z
      .string()
      .nullable()
      .meta(about("The user's name at the service. Null if the user gave none.", "ana")),
    created_at: CreatedAt,
  })
  .meta({ id: "WebProfile" });
export type WebProfile = z.infer<typeof WebProfile>;

export const representWebProfile = (profile: WebProfileRow, links: Links): WebProfile => ({
  id: profile.id,
  urn: urn(links, "web-profiles", profile.id),
  kind: "web-profile",
  service: profile.service,
  title: profile.title,
  url: profile.url,
  username: profile.username,
  created_at: timestamp(profile.created_at),
});
