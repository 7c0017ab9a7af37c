import * as z from "zod";
import type { MiniUserRow } from "../../../db/queries/people.ts";
import type { UserRow } from "../../../db/queries/show-users.ts";
import { apiUrl, type Links, timestamp, urn, webUrl } from "../../lib/http/links.ts";
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
    avatar_url: z.url().describe("JPEG. Replace `large` with another format's name for another size."),
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

const Text = z.string().nullable();
const Count = z.int().min(0);

export const Subscriptions = z.array(
  z
    .strictObject({
      product: z.strictObject({ id: z.string(), name: z.string() }),
      recurring: z.boolean(),
    })
    .meta({ id: "Subscription" }),
);

export const User = z
  .strictObject({
    ...MiniUser.shape,
    created_at: z.string(),
    country: Text,
    full_name: Text,
    first_name: Text.describe("The first word of the full name."),
    last_name: Text.describe("The rest of the full name."),
    city: Text,
    description: Text,
    discogs_name: Text,
    myspace_name: Text,
    website: Text,
    website_title: Text,
    online: z.boolean().describe("Whether an app used the user's token in the last 5 minutes."),
    track_count: Count.describe("Public tracks. Failed ones count for their owner alone."),
    playlist_count: Count.describe("Public playlists."),
    followers_count: Count,
    followings_count: Count,
    public_favorites_count: Count.describe("Tracks that the user likes, as far as you see them."),
    likes_count: Count.describe("The same as `public_favorites_count`."),
    reposts_count: Count.describe("Tracks and playlists that the user reposted, as far as you see them."),
    comments_count: Count.describe("Comments that the user wrote, as far as you see them."),
    plan: Text.describe("Null except for your own, at `/me`."),
    subscriptions: Subscriptions.nullable()
      .describe("Null except for your own, at `/me`.")
      .meta({ examples: [null] }),
  })
  .meta({ id: "User" });
export type User = z.infer<typeof User>;

export function representUser(user: UserRow, links: Links): User {
  const [firstName, ...otherNames] = user.full_name?.split(/\s+/) ?? [];
  return {
    ...representMiniUser(user, links),
    created_at: timestamp(user.created_at),
    country: user.country,
    full_name: user.full_name,
    first_name: firstName ?? null,
    last_name: otherNames.join(" ") || null,
    city: user.city,
    description: user.description,
    discogs_name: user.discogs_name,
    myspace_name: user.myspace_name,
    website: user.website,
    website_title: user.website_title,
    online: user.online,
    track_count: user.track_count,
    playlist_count: user.playlist_count,
    followers_count: user.followers_count,
    followings_count: user.followings_count,
    public_favorites_count: user.public_favorites_count,
    likes_count: user.public_favorites_count,
    reposts_count: user.reposts_count,
    comments_count: user.comments_count,
    plan: null,
    subscriptions: null,
  };
}
