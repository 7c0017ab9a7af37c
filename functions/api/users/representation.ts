import * as z from "zod";
import type { MiniUserRow } from "../../../db/queries/people.ts";
import type { UserRow } from "../../../db/queries/show-users.ts";
import { apiUrl, type Links, timestamp, urn, webUrl } from "../../lib/http/links.ts";
import {
  CreatedAt,
  kindOf,
  LastModified,
  pageUrl,
  resourceId,
  resourceUri,
  resourceUrn,
} from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";
import { avatarUrl } from "../images/links.ts";

export const MiniUser = z
  .strictObject({
    id: resourceId(338914811904777),
    kind: kindOf("user"),
    urn: resourceUrn("users:338914811904777"),
    permalink: z.string().meta(about("Last part of the page's address.", "ana")),
    username: z.string().meta(about("Name as shown.", "ana")),
    last_modified: LastModified,
    uri: resourceUri("users/338914811904777"),
    permalink_url: pageUrl("ana"),
    avatar_url: z
      .url()
      .meta(
        about(
          "JPEG. Replace `large` with another format's name for another size.",
          "https://api.soundpost.example/images/avatar-default-large.jpg",
        ),
      ),
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
      product: z
        .strictObject({
          id: z.string().meta(about("Name of the plan.", "artist")),
          name: z.string().meta(about("Name of the plan, for people.", "Artist")),
        })
        .describe("Plan that was subscribed to."),
      recurring: z.boolean().meta(about("Whether it renews by itself.", false)),
    })
    .meta({ id: "Subscription" }),
);

export const User = z
  .strictObject({
    ...MiniUser.shape,
    created_at: CreatedAt,
    country: Text.meta(about("ISO 3166-1 alpha-2. Null if the user gave none.", "PT")),
    full_name: Text.meta(about("First and last name. Null if the user gave none.", "Ana Torres")),
    first_name: Text.meta(about("The first word of the full name.", "Ana")),
    last_name: Text.meta(about("The rest of the full name.", "Torres")),
    city: Text.meta(about("Null if the user gave none.", "Lisbon")),
    description: Text.meta(
      about("Plain text, not HTML. Null if the user gave none.", "Songs from the harbour."),
    ),
    discogs_name: Text.meta(about("Null if the user gave none.", "ana-torres")),
    myspace_name: Text.meta(about("Null if the user gave none.", "anatorres")),
    website: Text.meta(about("Null if the user gave none.", "https://ana.example")),
    website_title: Text.meta(about("Label of the website's link. Null if the user gave none.", "My site")),
    online: z.boolean().meta(about("Whether an app used the user's token in the last 5 minutes.", true)),
    track_count: Count.meta(about("Public tracks. Failed ones count for their owner alone.", 12)),
    playlist_count: Count.meta(about("Public playlists.", 4)),
    followers_count: Count.meta(about("Users who follow this one.", 120)),
    followings_count: Count.meta(about("Users whom this one follows.", 45)),
    public_favorites_count: Count.meta(about("Tracks that the user likes, as far as you can see them.", 41)),
    likes_count: Count.meta(about("The same as `public_favorites_count`.", 41)),
    reposts_count: Count.meta(
      about("Tracks and playlists that the user reposted, as far as you can see them.", 5),
    ),
    comments_count: Count.meta(about("Comments that the user wrote, as far as you can see them.", 8)),
    plan: Text.meta(about("Null except for your own, at `/me`.", null)),
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
