import * as z from "zod";
import type { MeRow } from "../../db/queries/people.ts";
import type { Links } from "../http/links.ts";
import { representUser, User } from "../users/representation.ts";

const Count = z.int().min(0);

/** All of a user's fields, and those that only the user sees. */
export const Me = z
  .strictObject({
    ...User.shape,
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
    ...representUser(me, links),
    plan: planName(me.plan),
    private_tracks_count: me.private_tracks_count,
    private_playlists_count: me.private_playlists_count,
    primary_email_confirmed: me.primary_email_confirmed,
  };
}
