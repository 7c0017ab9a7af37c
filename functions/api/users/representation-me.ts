import * as z from "zod";
import type { MeRow } from "../../../db/queries/people.ts";
import type { Links } from "../../lib/http/links.ts";
import { representUser, Subscriptions, User } from "./representation.ts";

const Count = z.int().min(0);
const Left = Count.nullable().describe("Null if there is no limit.");

/** All fields of a user, including private ones. */
export const Me = z
  .strictObject({
    ...User.shape,
    plan: z.string(),
    subscriptions: Subscriptions.describe("Your plan."),
    locale: z.string().nullable().describe("Always null: the service stores none."),
    quota: z
      .strictObject({
        unlimited_upload_quota: z.boolean(),
        upload_seconds_used: Count.describe("Includes your private tracks."),
        upload_seconds_left: Left,
        bytes_used: Count.describe("Bytes of your files as they were uploaded, with uploads under way."),
        bytes_left: Left,
        tracks_used: Count.describe("Your tracks, with uploads under way."),
        tracks_left: Left,
      })
      .meta({ id: "Quota" }),
    upload_seconds_left: Left,
    private_tracks_count: Count,
    private_playlists_count: Count,
    primary_email_confirmed: z.boolean(),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

/** The plan's name as existing clients know it: "Free", "Artist", "Artist Pro". */
const planName = (plan: string) =>
  plan
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

/** Never negative, although a limit may have been lowered. */
const left = (limit: number | null, used: number) => limit && Math.max(0, limit - used);

export function representMe(me: MeRow, links: Links): Me {
  return {
    ...representUser(me, links),
    plan: planName(me.plan),
    subscriptions: [{ product: { id: me.plan, name: planName(me.plan) }, recurring: false }],
    locale: null,
    quota: {
      unlimited_upload_quota: (me.quota.seconds ?? me.quota.bytes ?? me.quota.tracks) === null,
      upload_seconds_used: me.quota.seconds_used,
      upload_seconds_left: left(me.quota.seconds, me.quota.seconds_used),
      bytes_used: me.quota.bytes_used,
      bytes_left: left(me.quota.bytes, me.quota.bytes_used),
      tracks_used: me.quota.tracks_used,
      tracks_left: left(me.quota.tracks, me.quota.tracks_used),
    },
    upload_seconds_left: left(me.quota.seconds, me.quota.seconds_used),
    private_tracks_count: me.private_tracks_count,
    private_playlists_count: me.private_playlists_count,
    primary_email_confirmed: me.primary_email_confirmed,
  };
}
