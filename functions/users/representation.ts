import * as z from "zod";
import type { MiniUserRow } from "../../db/queries/people.ts";
import { apiUrl, type Links, timestamp, urn, webUrl } from "../http/links.ts";
import { avatarUrl } from "../images/links.ts";

export const MiniUser = z
  .strictObject({
    id: z.int(),
    kind: z.literal("user"),
    urn: z.string(),
    permalink: z.string(),
    username: z.string(),
    last_modified: z.string(),
    uri: z.url(),
    permalink_url: z.url(),
    avatar_url: z.url().describe("JPEG. Replace `large` by another format's name for another size."),
  })
  .meta({ id: "MiniUser" });
export type MiniUser = z.infer<typeof MiniUser>;

export function representMiniUser(user: MiniUserRow, links: Links): MiniUser {
  return {
    id: user.id,
    kind: "user",
    urn: urn(links, "users", user.id),
    permalink: user.permalink,
    username: user.username,
    last_modified: timestamp(user.updated_at),
    uri: apiUrl(links, `/users/${user.id}`),
    permalink_url: webUrl(links, `/${user.permalink}`),
    avatar_url: avatarUrl(links, user.avatar_version),
  };
}
