import * as z from "zod";
import type { MeRow } from "../../db/queries/people.ts";
import { type Links, timestamp } from "../http/links.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const Text = z.string().nullable();
const Count = z.int().min(0);

/** All of a user's fields, and those that only the user sees. */
export const Me = z
  .strictObject({
    ...MiniUser.shape,
    created_at: z.string(),
    country: Text,
    full_name: Text,
    city: Text,
    description: Text,
    discogs_name: Text,
    myspace_name: Text,
    website: Text,
    website_title: Text,
    online: z.boolean(),
    track_count: Count,
    playlist_count: Count,
    followers_count: Count,
    followings_count: Count,
    public_favorites_count: Count,
    plan: z.string(),
    private_tracks_count: Count,
    private_playlists_count: Count,
    primary_email_confirmed: z.boolean(),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

/** The plan as clients of this family know it: "Free", "Artist", "Artist Pro". */
const planName = (plan: string) =>
  plan
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

export function representMe(me: MeRow, links: Links): Me {
  return {
    ...representMiniUser(me, links),
    created_at: timestamp(me.created_at),
    country: me.country,
    full_name: me.full_name,
    city: me.city,
    description: me.description,
    discogs_name: me.discogs_name,
    myspace_name: me.myspace_name,
    website: me.website,
    website_title: me.website_title,
    online: me.online,
    track_count: me.track_count,
    playlist_count: me.playlist_count,
    followers_count: me.followers_count,
    followings_count: me.followings_count,
    public_favorites_count: me.public_favorites_count,
    plan: planName(me.plan),
    private_tracks_count: me.private_tracks_count,
    private_playlists_count: me.private_playlists_count,
    primary_email_confirmed: me.primary_email_confirmed,
  };
}
