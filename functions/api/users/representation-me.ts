import * as z from "zod";
import type { MeRow } from "../../../db/queries/people.ts";
import type { Links } from "../../lib/http/links.ts";
import { about } from "../../lib/text/fields.ts";
import { representUser, Subscriptions, User } from "./representation.ts";

const Count = z.int().min(0);
const Left = Count.nullable().describe("Null if there is no limit.");

/** All fields of a user, including private ones. */
export const Me = z
  .strictObject({
    ...User.shape,
    plan: z.string().meta(about("Subscription plan: `Free`, `Artist` or `Artist Pro`.", "Artist")),
    subscriptions: Subscriptions.describe("Your plan."),
    locale: z.string().nullable().meta(about("Always null: the service stores none.", null)),
    quota: z
      .strictObject({
        unlimited_upload_quota: z
          .boolean()
          .meta(about("Whether your seconds, bytes and tracks all have no limit.", false)),
        upload_seconds_used: Count.meta(about("Includes your private tracks.", 1800)),
        upload_seconds_left: Left.meta({ example: 9000 }),
        bytes_used: Count.meta(
          about("Bytes of your files as they were uploaded, with uploads under way.", 250000000),
        ),
        bytes_left: Left.meta({ example: 1000000000 }),
        tracks_used: Count.meta(about("Your tracks, with uploads under way.", 3)),
        tracks_left: Left.meta({ example: 12 }),
      })
      .meta({ id: "Quota" })
      .describe("Your limit of uploads."),
    upload_seconds_left: Left.meta({ example: 9000 }),
    private_tracks_count: Count.meta(about("Your private tracks.", 2)),
    private_playlists_count: Count.meta(about("Your private playlists.", 1)),
    primary_email_confirmed: z.boolean().meta(about("Whether the address of mail was confirmed.", true)),
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
