import * as z from "zod";
import type { WebProfileRow } from "../../../db/queries/web-profiles.ts";
import { type Links, timestamp, urn } from "../../lib/http/links.ts";

export const WebProfile = z
  .strictObject({
    id: z.int(),
    urn: z.string(),
    kind: z.literal("web-profile"),
    service: z.string(),
    title: z.string().nullable(),
    url: z.string(),
    username: z.string().nullable(),
    created_at: z.string(),
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
